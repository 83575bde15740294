package telemetry_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/telemetry"
)

func TestOutages_LogBeginAndEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(telemetry.Outages(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}})))
		down := fmt.Errorf("sweep: %w", feed.Unavailable("the database", errors.New("refused")))
		for range 120 {
			log.With("periodic", "sweep").Error("periodic work failed", "error", down)
			log.With("queue", "push").Warn("a task failed", "try", 1, "error", feed.Unavailable("the database", errors.New("reset")))
			time.Sleep(time.Second)
		}
		log.Error("a fault", "error", errors.New("boom"))
		log.Warn("no writes", "error", feed.CannotServe("the database", "is full", errors.New("53100")))
		log.Info("known", "error", down)
		time.Sleep(time.Minute)
		log.Error("periodic work failed", "error", down)
		want := `level=ERROR msg="periodic work failed" periodic=sweep error="sweep: UNAVAILABLE: the database cannot be reached: refused" outage="the database cannot be reached"
level=ERROR msg="a fault" error=boom
level=WARN msg="no writes" error="UNAVAILABLE: the database is full: 53100" outage="the database is full"
level=INFO msg=known error="sweep: UNAVAILABLE: the database cannot be reached: refused"
level=INFO msg="an outage ended" outage="the database cannot be reached" lasted=1m59s lines=240
level=INFO msg="an outage ended" outage="the database is full" lasted=0s lines=1
level=ERROR msg="periodic work failed" error="sweep: UNAVAILABLE: the database cannot be reached: refused" outage="the database cannot be reached"
`
		if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(out.String(), "\n")); diff != "" {
			t.Error(diff)
		}
	})
}
