package feedtest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

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
func (l *line) kinds() feed.Kinds {
	var kinds feed.Kinds
	if v := l.option("kinds"); v != "" {
		for _, k := range strings.Split(v, ",") {
			kinds = append(kinds, feed.Kind(k))
		}
	}
	return kinds
}

// time consumes the option of a time. It returns milliseconds since the epoch on the day that
// begins at midnight.
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
