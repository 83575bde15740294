package warnings_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/kit/warnings"
)

// result is the next result of a check.
type result struct {
	message string
	err     error
}

func (r *result) check(name string) warnings.Check {
	return warnings.Check{Name: name, Action: "mend " + name, Evaluate: func(context.Context) (string, error) { return r.message, r.err }}
}

func TestMonitor_ReportsWhatHolds(t *testing.T) {
	disk, redis := &result{message: "the disk is full"}, &result{}
	m := warnings.New(slog.New(slog.DiscardHandler), disk.check("disk"), redis.check("redis"))
	if got := m.Active(); got != nil {
		t.Errorf("before the first evaluation there are %v", got)
	}
	m.Evaluate(t.Context())
	want := []warnings.Warning{{Name: "disk", Message: "the disk is full", Action: "mend disk"}}
	if diff := cmp.Diff(want, m.Active()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]bool{"disk": true, "redis": false}, m.States()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	disk.message = ""
	m.Evaluate(t.Context())
	if got := m.Active(); got != nil {
		t.Errorf("after it ended there are %v", got)
	}
}

func TestMonitor_LogsChangesOnly(t *testing.T) {
	var out bytes.Buffer
	disk := &result{message: "the disk is full"}
	m := warnings.New(slog.New(slog.NewTextHandler(&out, nil)), disk.check("disk"))
	for _, step := range []struct {
		message string
		want    string
	}{
		{"the disk is full", `level=WARN msg="the disk is full" warning=disk action="mend disk"`},
		{"the disk is full", ""},
		{"the disk is read-only", `level=WARN msg="the disk is read-only"`},
		{"", `level=INFO msg="warning ended" warning=disk message="the disk is read-only"`},
		{"", ""},
	} {
		out.Reset()
		disk.message = step.message
		m.Evaluate(t.Context())
		if got := out.String(); !strings.Contains(got, step.want) || (step.want == "") != (got == "") {
			t.Errorf("%q: logged %q, want %q", step.message, got, step.want)
		}
	}
}

func TestMonitor_KeepsResultWhileCheckFails(t *testing.T) {
	disk := &result{message: "the disk is full"}
	m := warnings.New(slog.New(slog.DiscardHandler), disk.check("disk"))
	m.Evaluate(t.Context())
	*disk = result{err: errors.New("no answer")}
	m.Evaluate(t.Context())
	if !m.States()["disk"] {
		t.Error("the warning ended because its check failed")
	}
}

func TestMonitor_LimitsEachEvaluation(t *testing.T) {
	m := warnings.New(slog.New(slog.DiscardHandler), warnings.Check{Name: "disk", Evaluate: func(ctx context.Context) (string, error) {
		if _, bounded := ctx.Deadline(); !bounded {
			return "without a deadline", nil
		}
		return "", nil
	}})
	m.Evaluate(t.Context())
	if got := m.Active(); got != nil {
		t.Errorf("an evaluation runs for %s", got[0].Message)
	}
}
