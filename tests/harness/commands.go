package harness

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/cli"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// RunMain runs a command in this process and returns its exit code and output.
func RunMain(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	// None of these commands serves. The context stops a command that serves by mistake.
	var out, err bytes.Buffer
	code = cli.Run(eventually.Context(t), args, &out, &err)
	return code, out.String(), err.String()
}

// Command runs a command of the program with the servers of env, and returns its exit code and
// output.
func Command(t *testing.T, env []string, args ...string) (int, string) {
	t.Helper()
	p := testenv.Program(t, append([]string{testenv.Binary(t)}, args...), env)
	code := p.Wait()
	return code, p.Output()
}

// DoctorSays runs tideline doctor. It fails the test unless the exit code is code and the output
// has all texts.
func DoctorSays(t *testing.T, env []string, args []string, code int, texts ...string) {
	t.Helper()
	got, out := Command(t, env, append([]string{"doctor"}, args...)...)
	if got != code {
		t.Fatalf("the doctor ended with exit code %d, want %d:\n%s", got, code, out)
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("the doctor's output lacks %q:\n%s", text, out)
		}
	}
}
