package testenv

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// output collects what a process prints and wakes goroutines that wait for a line. It is safe for
// concurrent use.
type output struct {
	mu      sync.Mutex
	text    strings.Builder
	changed chan struct{} // closed and replaced whenever text grows
}

func newOutput() *output {
	return &output{changed: make(chan struct{})}
}

// Write implements io.Writer. It never fails.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	close(o.changed)
	o.changed = make(chan struct{})
	return len(p), nil
}

// String returns everything printed so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// find returns the match of pattern in the first complete line that matches. Without a match, it
// returns nil and a channel that is closed when there is more output.
func (o *output) find(pattern *regexp.Regexp) ([]string, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	lines := strings.Split(o.text.String(), "\n")
	for _, line := range lines[:len(lines)-1] {
		if match := pattern.FindStringSubmatch(strings.TrimSuffix(line, "\r")); match != nil {
			return match, nil
		}
	}
	return nil, o.changed
}

// routine matches access log lines of successful requests.
var routine = regexp.MustCompile(`(?m)^.*\bmsg=request .*\bstatus=[123]\d\d .*\n`)

// withoutRoutine removes the log lines of successful requests from a server's output and appends
// their number.
func withoutRoutine(text string) string {
	n := len(routine.FindAllStringIndex(text, -1))
	if n == 0 {
		return text
	}
	return routine.ReplaceAllString(text, "") + fmt.Sprintf("(and %d requests that went well)\n", n)
}
