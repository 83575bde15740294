package feed

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tideline-feeds/tideline/feed/texts"
)

// Rules are the limits of what is stored: [ClientRules] and [RecordRules]. Methods return nil or a
// refusal with the invalid field. Times are in milliseconds; now is on the store's clock.
type Rules struct {
	NameMax, TitleMax, TextMax int
	// MediaMax is media of a post, URLMax bytes of a URL. The other lengths are in code points.
	MediaMax, URLMax int
	// RelativeURLs allows relative references as URLs, EmptyLabels empty names and titles.
	RelativeURLs, EmptyLabels bool
	// AnyPlace allows posts whose references do not fit their kind ([Post.Misplaced]).
	AnyPlace bool
	// NoHandles allows users without a handle, NoTexts posts without text and media.
	NoHandles, NoTexts bool
	// ScheduleAhead is how far ahead a live session may be scheduled.
	ScheduleAhead time.Duration
	// OpenMax is upcoming and live sessions per host, which limits the cost of reading them.
	OpenMax int
	// ClockSkew is how far a time may be after now, or two times of an object out of order.
	ClockSkew time.Duration
}

// ClientRules returns the rules for what users write.
func ClientRules() Rules {
	return Rules{
		NameMax:       200,
		TitleMax:      200,
		TextMax:       5000,
		MediaMax:      10,
		URLMax:        2048,
		ScheduleAhead: 366 * 24 * time.Hour,
		OpenMax:       100,
	}
}

// RecordRules returns the rules for imports, with longer texts. Times in the future are refused:
// they would make a post the newest, a session live, or a user active.
func RecordRules() Rules {
	r := ClientRules()
	r.TitleMax, r.TextMax, r.MediaMax = 1000, 100_000, 100
	r.RelativeURLs, r.EmptyLabels = true, true
	// Servers that synchronize clocks once an hour differ by less than a minute.
	r.ClockSkew = time.Minute
	return r
}

// Sort returns the records that obey the rules, and the others with the reason, both in order.
func (r Rules) Sort(records []Record, now int64) (fit []Record, bad []BadRecord) {
	fit = make([]Record, 0, len(records))
	for _, rec := range records {
		if err := r.Check(&rec, now); err != nil {
			bad = append(bad, BadRecord{Line: rec.Line, Reason: Reason(err)})
			continue
		}
		fit = append(fit, rec)
	}
	return fit, bad
}

// Check returns what is wrong with a record in itself.
func (r Rules) Check(rec *Record, now int64) error {
	if err := rec.Moderated.check(r, now); err != nil {
		return err
	}
	switch {
	case rec.Unclear != "":
		return Errorf(CodeInvalid, "%s", rec.Unclear)
	case rec.Partial != nil:
		return Errorf(CodeInvalid, "only an ordered source that owns the type can send partial records").At("partial")
	case rec.User != nil:
		return r.checkUser(rec.User, now)
	case rec.Post != nil:
		return r.checkPost(rec.Post, now)
	case rec.Live != nil:
		return r.checkLive(rec.Live, now)
	case rec.Follow != nil:
		return r.Past("createdAt", rec.Follow.CreatedAt, now)
	case rec.Reaction != nil:
		return r.Past("createdAt", rec.Reaction.CreatedAt, now)
	case rec.Relation != nil:
		return r.Past("createdAt", rec.Relation.CreatedAt, now)
	case rec.List != nil:
		return cmp.Or(r.Name(rec.List.Name), r.Past("createdAt", rec.List.CreatedAt, now))
	case rec.ListMember != nil:
		return r.Past("createdAt", rec.ListMember.CreatedAt, now)
	case rec.Seen != nil:
		return nil
	case rec.Counters != nil:
		return rec.Counters.Check()
	}
	return Errorf(CodeInvalid, "an empty record")
}

func (r Rules) checkLive(l *LiveRecord, now int64) error {
	return cmp.Or(
		r.Title(l.Title),
		r.ReplayURL(l.ReplayURL),
		checkCourse(l),
		r.Scheduled(l.ScheduledAt, now),
		r.Past("startedAt", l.StartedAt, now),
		r.Past("endedAt", l.EndedAt, now),
		r.Past("cancelledAt", l.CancelledAt, now))
}

func checkCourse(l *LiveRecord) error {
	switch {
	case l.EndedAt != 0 && l.StartedAt == 0:
		return Errorf(CodeInvalid, "a session cannot end without startedAt").At("endedAt")
	case l.EndedAt != 0 && l.EndedAt < l.StartedAt:
		return Errorf(CodeInvalid, "a session cannot end before startedAt").At("endedAt")
	case l.CancelledAt != 0 && l.StartedAt != 0:
		return Errorf(CodeInvalid, "only an upcoming session can be cancelled, not one with startedAt").At("cancelledAt")
	case l.ReplayURL != "" && l.EndedAt == 0:
		return Errorf(CodeInvalid, "a session has no replay without endedAt").At("replayUrl")
	}
	return nil
}

// Past refuses a time in the future. 0, for no time, passes.
func (r Rules) Past(field string, at, now int64) error {
	if at < 0 || at > now+r.ClockSkew.Milliseconds() {
		return Errorf(CodeInvalid, "the time must not be in the future, nor before 1970").At(field)
	}
	return nil
}

func (r Rules) inOrder(firstField string, first int64, field string, second int64) error {
	if second != 0 && second < first-r.ClockSkew.Milliseconds() {
		return Errorf(CodeInvalid, "the time must not be earlier than %s", firstField).At(field)
	}
	return nil
}

// Scheduled refuses a scheduled time that is too far ahead. Past times pass: imports have them.
func (r Rules) Scheduled(at, now int64) error {
	if at < 0 || at > now+r.ScheduleAhead.Milliseconds() {
		return Errorf(CodeInvalid, "a session must be scheduled for a time within the next year").At("scheduledAt")
	}
	return nil
}

// Title and Name refuse labels that are blank or too long.
func (r Rules) Title(title string) error {
	return r.label("title", title, r.TitleMax)
}

// ReplayURL refuses an invalid URL. Empty passes.
func (r Rules) ReplayURL(s string) error { return r.optionalURL("replayUrl", s) }

// Name refuses names that are blank or too long.
func (r Rules) Name(name string) error {
	return r.label("name", name, r.NameMax)
}

// deviceMax is the length of the name of a device in code points.
const deviceMax = 64

// Device refuses names of devices that are blank or too long. Empty passes.
func (r Rules) Device(name string) error {
	if name == "" {
		return nil
	}
	return r.label("device", name, deviceMax)
}

func (r Rules) label(field, s string, limit int) error {
	if s == "" && r.EmptyLabels {
		return nil
	}
	if utf8.RuneCountInString(s) > limit {
		return Errorf(CodeTooLong, "a %s has at most %d characters", field, limit).At(field)
	}
	if fault := texts.LabelFault(s); fault != "" {
		return Errorf(CodeInvalid, "a %s %s", field, fault).At(field)
	}
	return nil
}

func checkHandle(handle string) error {
	if fault := texts.HandleFault(handle); fault != "" {
		return Errorf(CodeInvalid, "a handle %s", fault).At("handle")
	}
	return nil
}

// Text refuses a text that is too long, or blank unless mayBeEmpty.
func (r Rules) Text(text string, mayBeEmpty bool) error {
	if fault := texts.PlainFault(text); fault != "" {
		return Errorf(CodeInvalid, "the text %s", fault).At("text")
	}
	switch {
	case utf8.RuneCountInString(text) > r.TextMax:
		return Errorf(CodeTooLong, "the text must have at most %d characters", r.TextMax).At("text")
	case !mayBeEmpty && texts.IsBlank(text):
		return Errorf(CodeInvalid, "the text must contain a visible character, unless there are media or it is a repost").At("text")
	}
	return nil
}

// languageMax is in bytes, as RFC 5646 advises for tags of fixed length.
const languageMax = 35

// Language refuses what is no BCP 47 tag. Empty passes.
func (r Rules) Language(tag string) error {
	switch {
	case len(tag) > languageMax:
		return Errorf(CodeTooLong, "the language must have at most %d characters", languageMax).At("language")
	case tag != "" && !texts.IsLanguage(tag):
		return Errorf(CodeInvalid, "the language must be a BCP 47 tag such as pt-BR").At("language")
	}
	return nil
}

// Media refuses too many media and invalid URLs.
func (r Rules) Media(media []string) error {
	if len(media) > r.MediaMax {
		return Errorf(CodeTooLong, "a post has at most %d media", r.MediaMax).At("media")
	}
	for _, m := range media {
		if err := r.url("media", m); err != nil {
			return err
		}
	}
	return nil
}

func (r Rules) optionalURL(field, s string) error {
	if s == "" {
		return nil
	}
	return r.url(field, s)
}

func (r Rules) url(field, s string) error {
	switch {
	case s == "", !IsHTTPSURL(s) && !r.RelativeURLs:
		return Errorf(CodeInvalid, "%.80q is not an absolute https URL", s).At(field)
	case !IsHTTPSURL(s) && !IsURLReference(s):
		return Errorf(CodeInvalid, "%.80q is neither an https URL nor a relative reference", s).At(field)
	case len(s) > r.URLMax:
		return Errorf(CodeTooLong, "a URL has at most %d bytes", r.URLMax).At(field)
	}
	return nil
}

// IsHTTPSURL reports whether s is absolute https, without user info, and storable everywhere.
func IsHTTPSURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil && IsPlain(s)
}

// IsURLReference accepts absolute https URLs and relative references that stay on their server.
// Browsers read a backslash as a slash, two slashes as the beginning of a host, and trim spaces.
func IsURLReference(s string) bool {
	u, err := url.Parse(s)
	switch {
	case err != nil, !IsPlain(s), strings.Contains(s, `\`), strings.TrimSpace(s) != s, strings.HasPrefix(s, "//"):
		return false
	case u.IsAbs():
		return IsHTTPSURL(s)
	}
	return true
}

// IsPlain reports whether s is valid UTF-8 that every store can keep ([texts.PlainFault]).
func IsPlain(s string) bool { return texts.PlainFault(s) == "" }

// Completes reports whether a partial record has all that an object needs which is not stored yet. Several
// partial records may make one object, and one of them makes it.
func (r *Record) Completes() bool {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(r.Partial, name) })
	}
	switch {
	case r.User != nil:
		return has("createdAt")
	case r.Post != nil:
		return has("kind", "text", "publishedAt")
	case r.Live != nil:
		return has("title", "scheduledAt")
	case r.List != nil:
		return has("name", "createdAt")
	}
	return false
}
