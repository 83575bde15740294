package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// fixedSlot is a slot that keeps some bytes, or fails.
type fixedSlot struct {
	retained int64
	err      error
	dropped  bool
}

func (s *fixedSlot) SlotState(context.Context) (mirror.Slot, error) {
	return mirror.Slot{Exists: !s.dropped, Retained: s.retained}, s.err
}

func (s *fixedSlot) DropSlot(context.Context) error {
	s.dropped = true
	return nil
}

// shownSlots are the metrics of a process.
type shownSlots map[string]string

func (s shownSlots) MirrorSlot(source, state string, retained int64) {
	s[source] = fmt.Sprint(state, " ", retained)
}
func (s shownSlots) ForgetMirrorSlot(source string) { delete(s, source) }

// Of two processes, one reports the slot; the other takes over when the first fails.
func TestSlotWatch_OneProcessReports(t *testing.T) {
	slot := &fixedSlot{retained: 7}
	leaders := sqlitetest.New(t, time.Now)
	var shown [2]shownSlots
	var watches [2]slotWatch
	for i := range watches {
		shown[i] = shownSlots{}
		watches[i] = slotWatch{
			mirrorSettings: mirrorSettings{mirrorName: mirrorName{Name: "m"}, SlotMaxBytes: 10}, source: slot, metrics: shown[i], log: slog.New(slog.DiscardHandler),
			leadership: inbox.Leadership{Leaders: leaders, Name: "slot", Holder: fmt.Sprint(i), For: 3 * slotEvery},
		}
	}
	look := func(i int, want ...shownSlots) {
		t.Helper()
		err := watches[i].look(t.Context())
		if (err != nil) != (slot.err != nil) {
			t.Errorf("looking at the slot fails with %v", err)
		}
		if diff := cmp.Diff(want, shown[:]); diff != "" {
			t.Error(diff)
		}
	}
	look(0, shownSlots{"m": "inactive 7"}, shownSlots{})
	look(1, shownSlots{"m": "inactive 7"}, shownSlots{})
	slot.err = errors.New("the source is down")
	look(0, shownSlots{}, shownSlots{})
	slot.err = nil
	look(1, shownSlots{}, shownSlots{"m": "inactive 7"})
	look(0, shownSlots{}, shownSlots{"m": "inactive 7"})
	slot.retained = 11
	look(1, shownSlots{}, shownSlots{"m": "inactive 11"})
	if !slot.dropped {
		t.Error("a slot over the limit was not dropped")
	}
}

// A toy warns at the first start, before the snapshot makes the slot.
func TestSlotCheck_WarnsOfLostSlot(t *testing.T) {
	slot := &fixedSlot{dropped: true}
	check := slotCheck(slot, "tideline_m", 10)
	for _, step := range []struct {
		dropped bool
		want    string
	}{{true, ""}, {false, ""}, {true, "the slot tideline_m does not exist"}} {
		slot.dropped = step.dropped
		if got, err := check.Evaluate(t.Context()); got != step.want || err != nil {
			t.Errorf("the warning is %q (%v), want %q", got, err, step.want)
		}
	}
}
