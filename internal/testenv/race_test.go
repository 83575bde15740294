package testenv

import "testing"

// recorder is a test whose failures are recorded.
type recorder struct {
	*testing.T
	failed bool
}

func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Failed() bool          { return false }

func TestProgram_RaceReportFailsTest(t *testing.T) {
	for text, want := range map[string]bool{"==================\\nWARNING: DATA RACE\\n": true, "ready\\n": false} {
		var r *recorder
		t.Run("starter", func(t *testing.T) {
			r = &recorder{T: t}
			Program(r, []string{"/bin/sh", "-c", "printf '" + text + "'"}, nil).Wait()
		})
		if r.failed != want {
			t.Errorf("the output %q fails the test: %v, want %v", text, r.failed, want)
		}
	}
}
