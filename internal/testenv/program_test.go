package testenv_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// shell runs a script as the program under test.
func shell(t *testing.T, script string, env ...string) *testenv.Process {
	t.Helper()
	return testenv.Program(t, []string{"/bin/sh", "-c", script}, env)
}

// Kill gives the program no time to react and returns after its end.
func TestKill_EndsAtOnce(t *testing.T) {
	p := shell(t, `trap 'echo bye' TERM INT EXIT; echo ready; exec sleep 600`)
	p.WaitLine("^ready$")
	p.Kill()
	if code := p.Wait(); code != -1 {
		t.Errorf("exit code %d of a killed program, want -1", code)
	}
	if err := syscall.Kill(p.Pid(), 0); err == nil {
		t.Error("the killed program still runs")
	}
	if strings.Contains(p.Output(), "bye") {
		t.Error("the killed program printed its farewell")
	}
}

// A program ends with its test.
func TestProgram_EndsWithItsTest(t *testing.T) {
	var p *testenv.Process
	t.Run("starter", func(t *testing.T) {
		p = shell(t, "exec sleep 600")
	})
	select {
	case <-p.Done():
	default:
		t.Error("the program outlives its test")
	}
}
