package feedtest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// onSQLite returns a service over empty stores.
func onSQLite(t *testing.T, mode feed.FanoutMode) *Service {
	p := SmallPolicy(mode)
	clock := NewClock()
	store := sqlitetest.Of(t).Empty(clock.Now)
	return NewService(Backend{Stores: StoresOf(store), Inboxes: sqlstore.NewInboxes(store, p.InboxCap), Clock: clock}, p)
}

// playOwn runs a script on such a service.
func playOwn(t *testing.T, mode feed.FanoutMode, file, text string) error {
	s := onSQLite(t, mode)
	return play(t.Context(), s.Cores(), file, text)
}

// opening begins a script: star has published p1 and p2, and ann follows star
// and has an inbox.
const opening = `
follow ann star   # creates both users
read ann
post star p1
post star p2
work
`

func TestScript_MistakeFailsAtItsLine(t *testing.T) {
	for wrong, reason := range map[string]string{
		`expect home ann -> p1`:                       `got "p2 p1"`,
		`expect home ann first=1 -> p2 end`:           `got "p2 more"`,
		`scroll home ann by 1 -> p2`:                  `got "p2 p1"`,
		`expect new ann since p1 -> 0`:                `got "1"`,
		`expect source ann -> both`:                   `got "reference"`,
		`expect inbox ann -> warm p1`:                 `got "warm p2 p1"`,
		`expect counters p1 likes=1`:                  `likes is 0`,
		`expect text ann p1 -> "something else"`:      `got "p1"`,
		`expect hidden ann p1`:                        `the viewer can see the post`,
		`expect error NOT_FOUND like ann p1`:          `got code ""`,
		`expect miracles`:                             `there is no expectation "miracles"`,
		`expect home ann`:                             `-> is missing`,
		`follow ann`:                                  `a user is missing`,
		`follow ann star -> p1`:                       `unexpected ->: this command has no result`,
		`like ann p7`:                                 `there is no post "p7"`,
		`post star p1`:                                `there is already a post "p1"`,
		`repost ann r1 p1`:                            `got "p1", want "of"`,
		`edit star p1 "never ends`:                    `quotation mark is not closed`,
		`in shove expect home ann -> end`:             `"shove" is not a mode`,
		`dance`:                                       `there is no command "dance"`,
		`expect error BAD_USER_INPUT expect home ann`: `got code "INTERNAL": -> is missing`,
	} {
		err := playOwn(t, feed.FanoutPush, "wrong.feed", opening+wrong)
		if err == nil {
			t.Errorf("%s: got no error, want %q", wrong, reason)
			continue
		}
		if got := err.Error(); !strings.HasPrefix(got, "wrong.feed:7: "+wrong+": ") || !strings.Contains(got, reason) {
			t.Errorf("%s: got error\n%s\nwant it at line 7, with\n%s", wrong, got, reason)
		}
	}
}

func TestScript_SkipsCommandsForOtherModes(t *testing.T) {
	err := playOwn(t, feed.FanoutPull, "modes.feed", opening+"in push,hybrid expect home ann -> nonsense")
	if err != nil {
		t.Error(err)
	}
}

// The suites use the objects of newUser and newPost. A field left empty there would have no test.
func TestSamples_HaveEveryField(t *testing.T) {
	for _, sample := range []struct {
		of any
		// later are the fields that later steps set.
		later []string
	}{
		{*newUser(ann), []string{"Custom", "Private", "Suspended", "Flag", "ProfileWithheld"}},
		{*newPost(1, ann, noon), []string{"Custom", "ReplyTo", "RepostOf", "Audience", "EditedAt", "DeletedAt", "TakenDown", "Accounts", "Replay"}},
	} {
		v := reflect.ValueOf(sample.of)
		for _, f := range reflect.VisibleFields(v.Type()) {
			if v.FieldByIndex(f.Index).IsZero() != slices.Contains(sample.later, f.Name) {
				t.Errorf("the field %s of the sample %T is %v; set it in newUser or newPost, or list it in the test", f.Name, sample.of, v.FieldByIndex(f.Index))
			}
		}
	}
}
