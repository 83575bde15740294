package feedtest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

func (c *script) expect(l *line) func() error {
	switch what := l.word("an expectation"); what {
	case "home", "outbox", "comments", "followers", "following", "requests", "sent", "live", "sessions":
		return c.expectPage(l, what)
	case "new":
		return c.expectNew(l)
	case "source":
		viewer, want := c.user(l), l.want()
		return func() error { return differs([]string{string(c.LastSource(viewer))}, want) }
	case "inbox":
		return c.expectInbox(l)
	case "counters":
		id, want := c.existingPost(l), l.numbers("likes", "favorites", "comments", "reposts")
		return func() error {
			n, err := c.views.PostCounters(c.ctx, id)
			if err != nil {
				return err
			}
			return want.differ(n.Likes, n.Favorites, n.Comments, n.Reposts)
		}
	case "user":
		id, want := c.user(l), l.numbers("followers", "following", "posts")
		return func() error {
			n, err := c.views.UserCounters(c.ctx, id)
			if err != nil {
				return err
			}
			return want.differ(n.Followers, n.Following, n.Posts)
		}
	case "text":
		return c.expectText(l)
	case "hidden":
		return c.expectHidden(l)
	default:
		l.fail(fmt.Errorf("there is no expectation %q", what))
		return nil
	}
}

// differs compares two lists of words.
func differs(got, want []string) error {
	if slices.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("got %q", strings.Join(got, " "))
}

// These words say whether entries follow or precede a page.
const (
	wordMore = "more"
	wordEnd  = "end"
)

func moreOrEnd(more bool) string {
	if more {
		return wordMore
	}
	return wordEnd
}

func isMoreOrEnd(word string) bool { return word == wordMore || word == wordEnd }

func (c *script) expectPage(l *line, what string) func() error {
	v := c.listView(l, what)
	q, want := c.query(l, v), l.want()
	return func() error {
		page, err := c.page(v, q)
		if err != nil {
			return err
		}
		return differs(page.words(want, q), want)
	}
}

// words describes a page, with more or end on the sides on which want has them.
func (s namedPage) words(want []string, q feed.PageQuery) []string {
	if len(want) == 0 {
		return s.entries()
	}
	newer, older := isMoreOrEnd(want[0]), isMoreOrEnd(want[len(want)-1])
	if len(want) == 1 {
		// The single word of an empty page describes the direction of the read.
		newer, older = newer && q.Last != nil, older && q.Last == nil
	}
	words := slices.Clone(s.entries())
	if newer {
		words = slices.Insert(words, 0, moreOrEnd(s.hasPrevious))
	}
	if older {
		words = append(words, moreOrEnd(s.hasNext))
	}
	return words
}

func (c *script) scroll(l *line) func() error {
	v := c.listView(l, l.word("a list"))
	l.keyword("by")
	n, want := l.count("the size of a page"), l.want()
	directions := []bool{false, true}
	if v.downOnly {
		directions = directions[:1]
	}
	return func() error {
		for _, up := range directions {
			names, err := c.wholeBy(v, n, up)
			if err != nil {
				return err
			}
			if err := differs(names, want); err != nil {
				return fmt.Errorf("scrolling up %t: %w", up, err)
			}
		}
		return nil
	}
}

func (c *script) expectNew(l *line) func() error {
	viewer := c.user(l)
	l.keyword("since")
	since := c.cursor(l, c.home(viewer), l.word("a post"))
	kinds, want := l.kinds(), l.want()
	return func() error {
		n, err := c.views.NewCount(c.ctx, viewer, since, kinds)
		if err != nil {
			return err
		}
		return differs([]string{strconv.Itoa(n)}, want)
	}
}

func (c *script) expectInbox(l *line) func() error {
	viewer, want := c.user(l), l.want()
	return func() error {
		in, err := c.Backend.Inboxes.Read(c.ctx, viewer, all())
		if err != nil {
			return err
		}
		version, err := c.Backend.Relations.ViewerVersion(c.ctx, viewer)
		if err != nil {
			return err
		}
		if in.State != feed.InboxReady {
			return differs([]string{"absent"}, want)
		}
		got := []string{"cold"}
		if version.Now < in.WarmUntil {
			got = []string{"warm"}
		}
		for _, k := range in.Keys {
			got = append(got, c.names[feed.PostID(k.ID)])
		}
		return differs(got, want)
	}
}

func (c *script) expectText(l *line) func() error {
	viewer, id, want := c.user(l), c.existingPost(l), l.want()
	return func() error {
		text, err := c.views.Text(c.ctx, viewer, id)
		if err == nil && text == nil {
			err = errors.New("the viewer cannot see the post")
		}
		if err != nil {
			return err
		}
		return differs([]string{*text}, want)
	}
}

func (c *script) expectHidden(l *line) func() error {
	viewer, id := c.user(l), c.existingPost(l)
	return func() error {
		text, err := c.views.Text(c.ctx, viewer, id)
		if err == nil && text != nil {
			err = errors.New("the viewer can see the post")
		}
		return err
	}
}

func (c *script) expectError(l *line) error {
	code := feed.Code(l.word("a code"))
	err := c.command(l)
	if got := feed.CodeOf(err); got != code {
		return fmt.Errorf("got code %q: %s", got, fmt.Sprint(err))
	}
	return nil
}

// line is one command: words, options of the form name=value, and an expectation after an arrow.
// Its methods consume parts. done returns the first error, so commands need no checks in between.
type line struct {
	words   []string
	options map[string]string
	// wanted is the text after the arrow. It is valid if arrow is set.
	wanted []string
	arrow  bool
	err    error
}

// parseLine parses a line. A quoted text is one word.
func parseLine(raw string) (*line, error) {
	tokens, err := splitWords(raw)
	if err != nil {
		return nil, err
	}
	l := &line{options: map[string]string{}}
	for _, t := range tokens {
		name, value, isOption := strings.Cut(t.text, "=")
		switch {
		case l.arrow:
			l.wanted = append(l.wanted, t.text)
		case !t.quoted && t.text == "->":
			l.arrow = true
		case !t.quoted && isOption:
			l.options[name] = value
		default:
			l.words = append(l.words, t.text)
		}
	}
	return l, nil
}

// token is one word of a line. A quoted token is a word whatever it contains.
type token struct {
	text   string
	quoted bool
}

func splitWords(raw string) ([]token, error) {
	var tokens []token
	for rest := strings.TrimSpace(raw); rest != "" && rest[0] != '#'; rest = strings.TrimSpace(rest) {
		if rest[0] != '"' {
			word := rest
			if i := strings.IndexAny(rest, " \t"); i >= 0 {
				word = rest[:i]
			}
			tokens, rest = append(tokens, token{text: word}), rest[len(word):]
			continue
		}
		text, after, closed := strings.Cut(rest[1:], `"`)
		if !closed {
			return nil, errors.New("the quotation mark is not closed")
		}
		tokens, rest = append(tokens, token{text: text, quoted: true}), after
	}
	return tokens, nil
}

// empty reports whether the line has no command.
func (l *line) empty() bool { return len(l.words) == 0 && len(l.options) == 0 && !l.arrow }

func (l *line) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// word consumes the next word. what describes it in errors.
func (l *line) word(what string) string {
	if len(l.words) == 0 {
		l.fail(fmt.Errorf("%s is missing", what))
		return ""
	}
	w := l.words[0]
	l.words = l.words[1:]
	return w
}

// keyword consumes a word that must equal want.
func (l *line) keyword(want string) {
	if got := l.word(strconv.Quote(want)); got != want {
		l.fail(fmt.Errorf("got %[2]q, want %[1]q", want, got))
	}
}

// flag consumes a word if it equals the given one.
func (l *line) flag(word string) bool {
	if len(l.words) == 0 || l.words[0] != word {
		return false
	}
	l.words = l.words[1:]
	return true
}

// option consumes an option and returns its value, or the empty string.
func (l *line) option(name string) string {
	v := l.options[name]
	delete(l.options, name)
	return v
}

// number consumes an option with a whole number. It returns nil without the option.
func (l *line) number(name string) *int {
	v := l.option(name)
	if v == "" {
		return nil
	}
	return new(l.atoi(v))
}

// wantedNumbers are the values of options with numbers.
type wantedNumbers struct {
	names []string
	want  map[string]string
}

// numbers consumes options with numbers.
func (l *line) numbers(names ...string) wantedNumbers {
	n := wantedNumbers{names, map[string]string{}}
	for _, name := range names {
		n.want[name] = l.option(name)
	}
	return n
}

// differ compares numbers, in the order of the names, with those of the line.
func (n wantedNumbers) differ(got ...int64) error {
	for i, name := range n.names {
		if want := n.want[name]; want != "" && want != strconv.FormatInt(got[i], 10) {
			return fmt.Errorf("%s is %d", name, got[i])
		}
	}
	return nil
}

// count consumes a word that is a positive whole number.
func (l *line) count(what string) int {
	n := l.atoi(l.word(what))
	if n < 1 {
		l.fail(fmt.Errorf("%s must be at least 1", what))
	}
	return n
}

func (l *line) atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		l.fail(fmt.Errorf("%q is not a number", s))
	}
	return n
}

// kinds consumes the option kinds.
func (l *line) kinds() feed.Filter {
	var kinds []feed.Kind
	if v := l.option("kinds"); v != "" {
		for _, k := range strings.Split(v, ",") {
			kinds = append(kinds, feed.Kind(k))
		}
	}
	return feed.OfKinds(kinds...)
}

// time consumes a word such as 10:00, which is on the day that begins at midnight. It returns
// milliseconds since the epoch.
func (l *line) time(midnight time.Time) *int64 {
	word := l.word("a time")
	for _, layout := range []string{"15:04", "15:04:05", "15:04:05.000"} {
		if t, err := time.Parse(layout, word); err == nil {
			return new(midnight.Add(t.Sub(t.Truncate(24 * time.Hour))).UnixMilli())
		}
	}
	l.fail(fmt.Errorf("%q is not a time such as 10:00 or 10:00:00.125", word))
	return nil
}

// want consumes the text after the arrow.
func (l *line) want() []string {
	if !l.arrow {
		l.fail(errors.New("-> is missing"))
	}
	l.arrow = false
	return l.wanted
}

// done returns the first error of the line.
func (l *line) done() error {
	if len(l.words) > 0 {
		l.fail(fmt.Errorf("unexpected words %q", strings.Join(l.words, " ")))
	}
	if l.arrow {
		l.fail(errors.New("unexpected ->: this command has no result"))
	}
	for name := range l.options {
		l.fail(fmt.Errorf("there is no option %q", name))
	}
	return l.err
}
