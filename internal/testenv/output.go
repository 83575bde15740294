package testenv

import (
	"regexp"
	"strings"
	"sync"
)

// output collects what a process prints and wakes whoever waits for a line of
// it. It is safe for concurrent use.
type output struct {
	mu      sync.Mutex
	text    strings.Builder
	changed chan struct{} // closed and replaced whenever text grows
}

func newOutput() *output {
	return &output{changed: make(chan struct{})}
}

// Write implements io.Writer; it never fails.
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

// find returns the match of pattern in the first complete line that matches, or
// nil together with a channel that is closed when there is more to look at.
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
