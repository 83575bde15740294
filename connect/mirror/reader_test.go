package mirror

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/semaphore"
)

// idleTest is a reader of a source whose log grows with each stored position.
type idleTest struct {
	*testing.T
	*reader
	at uint64
}

func onIdleSource(t *testing.T, do func(*idleTest)) {
	synctest.Test(t, func(t *testing.T) {
		o := &opened{Source: &Source{Clock: time.Now}, mapper: &Mapper{}}
		s := &stream{memory: semaphore.NewWeighted(waitingBytes)}
		// The tables were looked at, and are not again for as long as the test takes.
		do(&idleTest{t, &reader{opened: o, stream: s, parts: make(chan part, partsMax), looked: time.Now().Add(time.Hour)}, 0})
	})
}

// grow hands over the next place of the log, with changes or without.
func (i *idleTest) grow(changes ...RowChange) {
	i.at++
	p := part{to: position{i.at, 0}, changes: changes}
	if !i.stream.memory.TryAcquire(p.weight()) {
		i.Fatal("the memory is full")
	}
	i.parts <- p
}

// poll returns the positions of a poll.
func (i *idleTest) poll() string {
	poll, err := i.Poll(i.Context())
	check(i.T, err)
	var positions []string
	for _, m := range poll.Messages {
		positions = append(positions, m.Position)
	}
	return strings.Join(positions, " ")
}

// A mirror stores its position in a database on the source's server, and so moves it.
func TestReader_DoesNotFeedItself(t *testing.T) {
	onIdleSource(t, func(i *idleTest) {
		i.grow()
		stored := 0
		for end := time.Now().Add(time.Minute); time.Now().Before(end); {
			if i.poll() != "" {
				stored++
				i.grow()
			}
		}
		if stored < 6 || stored > 7 {
			t.Errorf("in a minute, %d positions without changes were stored", stored)
		}
	})
}

func TestReader_StoresPositionsAfterChanges(t *testing.T) {
	onIdleSource(t, func(i *idleTest) {
		expect := func(what, want string) {
			t.Helper()
			if got := i.poll(); got != want {
				t.Errorf("%s, the poll has %q, want %q", what, got, want)
			}
		}
		change := RowChange{Table: &Table{}}
		i.grow()
		expect("at first", "1-0")
		i.grow()
		expect("before ten seconds", "")
		i.grow(change)
		i.grow()
		i.grow()
		expect("with changes", "3-0 5-0")
		i.grow()
		i.grow()
		expect("right after changes", "7-0")
		i.grow()
		expect("later", "")
		time.Sleep(idleEvery)
		expect("after ten seconds", "8-0")
		if i.grow(); i.poll() != "" || i.stream.confirmed.Load() != 8 {
			t.Errorf("the slot is confirmed at %d", i.stream.confirmed.Load())
		}
		// A place that is no longer ahead is not stored.
		i.handed = 20
		time.Sleep(idleEvery)
		expect("behind what was returned", "")
		if fmt.Sprint(i.handed) != "20" {
			t.Errorf("the reader is at %d", i.handed)
		}
	})
}
