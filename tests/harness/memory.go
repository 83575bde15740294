package harness

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// PeakMemory returns the largest resident memory of a running process so far, in bytes.
func PeakMemory(t *testing.T, p *testenv.Process) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid()))
	Check(t, err)
	peak := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if peak == nil {
		t.Fatalf("the status of the process has no peak: %s", status)
	}
	n, err := strconv.ParseInt(string(peak[1]), 10, 64)
	Check(t, err)
	return n << 10
}
