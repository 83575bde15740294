package e2e

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// reportedHandle is a handle in the doctor's JSON.
type reportedHandle struct{ User, Handle string }

// lookalikesFound returns the groups of handles in the doctor's JSON.
func lookalikesFound(t *testing.T, env []string) [][]reportedHandle {
	t.Helper()
	code, out := harness.Command(t, env, "doctor", "--json")
	var report struct {
		LookalikeHandles [][]reportedHandle
		Wrong            int
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || report.Wrong != 0 || report.LookalikeHandles == nil {
		t.Fatalf("the doctor ended with exit code %d, %v:\n%s", code, err, out)
	}
	return report.LookalikeHandles
}

// Imports may add handles that look alike. The doctor lists them, but not as errors.
func TestDoctor_ListsHandlesThatLookAlike(t *testing.T) {
	t.Parallel()
	env := []string{"TIDELINE_DATA_DIR=" + t.TempDir(), "TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false"}
	s := startServer(t, env...)
	harness.DoctorSays(t, env, nil, 0, "handles: no two look alike")
	if got := lookalikesFound(t, env); len(got) != 0 {
		t.Errorf("without users the doctor lists %v", got)
	}

	var lines []string
	for i, handle := range []string{"alice", "\u0430lice", "a1ice", "bob", "carol", "caro1"} {
		lines = append(lines, fmt.Sprintf(`{"type":"user","id":"%d","handle":"%s","name":"User","createdAt":"2026-01-01T00:00:00Z"}`, i+1, handle))
	}
	harness.ImportLines(t, env, lines...)
	harness.DoctorSays(t, env, nil, 0, "handles that look alike (ask their users to choose others):",
		`  "alice" (user 1), "\u0430lice" (user 2), "a1ice" (user 3)`, `  "carol" (user 5), "caro1" (user 6)`)
	want := [][]reportedHandle{{{"1", "alice"}, {"2", "\u0430lice"}, {"3", "a1ice"}}, {{"5", "carol"}, {"6", "caro1"}}}
	if diff := cmp.Diff(want, lookalikesFound(t, env)); diff != "" {
		t.Errorf("the doctor's JSON (-want +got):\n%s", diff)
	}

	var renamed struct {
		UpdateProfile struct{ User struct{ Handle string } }
	}
	s.Query(t, harness.TokenFor(t, 6), `mutation { updateProfile(input: {handle: "caroline"}) { user { handle } } }`, nil, &renamed)
	if got := renamed.UpdateProfile.User.Handle; got != "caroline" {
		t.Fatalf("the handle after the rename is %q", got)
	}
	if diff := cmp.Diff(want[:1], lookalikesFound(t, env)); diff != "" {
		t.Errorf("after a rename (-want +got):\n%s", diff)
	}
}
