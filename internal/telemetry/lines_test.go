package telemetry_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/telemetry"
)

// writes notes each write by itself.
type writes struct {
	mu  sync.Mutex
	all []string
	err error
}

func (w *writes) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, string(p))
	return len(p), w.err
}

// take returns the writes since it was last called.
func (w *writes) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.all
	w.all = nil
	return taken
}

func say(t *testing.T, w io.Writer, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if n, err := io.WriteString(w, line); n != len(line) || err != nil {
			t.Errorf("of %q %d bytes were written, %v", line, n, err)
		}
	}
}

func TestManyLinesAreOneWriteAndNoneIsHeldBackForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &writes{}
		access := telemetry.NewLines(out).Behind()
		for _, when := range []string{"first", "second"} {
			say(t, access, "a "+when+"\n", "b\n")
			<-time.After(99 * time.Millisecond) // of the virtual clock
			synctest.Wait()
			if early := out.take(); len(early) > 0 {
				t.Errorf("before it was time %q was written", early)
			}
			say(t, access, "c\n")
			<-time.After(time.Millisecond)
			synctest.Wait()
			if diff := cmp.Diff([]string{"a " + when + "\nb\nc\n"}, out.take()); diff != "" {
				t.Errorf("a tenth of a second after the first line (-want +got):\n%s", diff)
			}
		}
	})
}

func TestALineThatIsNotHeldBackTakesThoseBeforeItAlong(t *testing.T) {
	out := &writes{}
	lines := telemetry.NewLines(out)
	say(t, lines, "at once\n")
	say(t, lines.Behind(), "request 1\n", "request 2\n")
	say(t, lines, "a warning\n")
	say(t, lines.Behind(), "request 3\n")
	if err := lines.Flush(); err != nil {
		t.Error(err)
	}
	if err := lines.Flush(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"at once\n", "request 1\nrequest 2\na warning\n", "request 3\n"}, out.take()); diff != "" {
		t.Errorf("the writes are (-want +got):\n%s", diff)
	}
}

func TestNoMoreThanSomeLinesAreHeldBackAndNoneIsLost(t *testing.T) {
	out := &writes{}
	lines := telemetry.NewLines(out)
	var group sync.WaitGroup
	for writer := range 4 {
		group.Go(func() {
			for i := range 1000 {
				_, _ = fmt.Fprintf(lines.Behind(), "%d/%d %s\n", writer, i, strings.Repeat("x", 100))
			}
		})
	}
	group.Wait()
	if err := lines.Flush(); err != nil {
		t.Error(err)
	}
	next, all := map[byte]int{}, out.take()
	for _, text := range all {
		if len(text) > 17<<10 {
			t.Errorf("%d bytes were held back", len(text))
		}
		for line := range strings.Lines(text) {
			var writer, i int
			if _, err := fmt.Sscanf(line, "%d/%d", &writer, &i); err != nil || i != next[byte(writer)] {
				t.Fatalf("writer %d goes on with %q behind line %d", writer, line, next[byte(writer)])
			}
			next[byte(writer)]++
		}
	}
	for writer, n := range next {
		if n != 1000 {
			t.Errorf("of writer %d there are %d lines", writer, n)
		}
	}
	if len(all) > 100 {
		t.Errorf("4,000 lines took %d writes", len(all))
	}
}

func TestALogThatCannotBeWrittenSaysSoAndGoesOn(t *testing.T) {
	full := errors.New("no space left")
	out := &writes{err: full}
	lines := telemetry.NewLines(out)
	say(t, lines.Behind(), "lost\n")
	if _, err := lines.Write([]byte("with it\n")); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
	out.err = nil
	out.take()
	say(t, lines, "found\n")
	if diff := cmp.Diff([]string{"found\n"}, out.take()); diff != "" {
		t.Errorf("behind a failure (-want +got):\n%s", diff)
	}
}
