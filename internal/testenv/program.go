package testenv

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// raceReport begins each report of the race detector.
const raceReport = "WARNING: DATA RACE"

// drainTime limits the reading of a dead process's output while one of its children holds the pipe
// open. A busy machine may need some seconds.
const drainTime = 10 * time.Second

// Process is a program that [Program] started.
//
// Methods that return no error end the test with t.Fatal. Call them from the test's goroutine.
type Process struct {
	t    testing.TB
	name string
	cmd  *exec.Cmd
	out  *output
	done chan struct{} // closed once the process is gone and its output read
}

// Program starts args[0] with the arguments args[1:]. It does not wait until the program is ready;
// see [Process.WaitLine]. The program has no standard input. It gets the environment of the test,
// overridden by env, a list of "NAME=value".
//
// The program is killed when the test ends. A report of the race detector in its output fails the
// test. If the test fails, the output is logged without the lines of successful requests.
func Program(t testing.TB, args []string, env []string) *Process {
	t.Helper()
	p, err := start(args, env)
	if err != nil {
		t.Fatalf("testenv: start %q: %v", args, err)
	}
	p.t = t
	t.Cleanup(func() {
		p.Kill()
		if strings.Contains(p.Output(), raceReport) {
			t.Errorf("the race detector has found a race in %s", p.name)
		}
		if t.Failed() {
			t.Logf("output of %s:\n%s", p.name, withoutRoutine(p.Output()))
		}
	})
	return p
}

// start runs a program and watches it in a goroutine. The goroutine keeps its thread until the
// program ends: otherwise the kernel kills the program when the Go runtime retires the thread.
func start(args []string, env []string) (*Process, error) {
	if len(args) == 0 {
		return nil, errors.New("no program given")
	}
	out := newOutput()
	cmd := exec.Command(args[0], args[1:]...)
	// All clients of a test have the same address and would share one rate limit.
	cmd.Env = append(append(os.Environ(), "TIDELINE_ADDRESS_RATE_LIMIT=0"), env...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = dieWithParent()
	cmd.WaitDelay = drainTime
	p := &Process{name: args[0], cmd: cmd, out: out, done: make(chan struct{})}

	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		// cmd.ProcessState keeps the exit status.
		_ = cmd.Wait()
		close(p.done)
	}()
	return p, <-started
}

// WaitLine waits for a line of standard output or standard error that matches pattern. It searches
// from the first line and returns the match and its groups as [regexp.Regexp.FindStringSubmatch]
// does. It fails the test if the program ends without such a line, or after [eventually.Limit].
func (p *Process) WaitLine(pattern string) []string {
	p.t.Helper()
	return p.wait(regexp.MustCompile(pattern))
}

func (p *Process) wait(pattern *regexp.Regexp) []string {
	p.t.Helper()
	match, err := p.waitLine(pattern)
	if err != nil {
		p.t.Fatal(err)
	}
	return match
}

// programReady matches the last line that Tideline prints when it starts. The group is the URL of a
// server, and empty for a worker, a mirror and others that serve no API.
var programReady = regexp.MustCompile(`^(?:ready after .*: open (http://[^/]+)/|tideline \w+ is ready after )`)

// WaitReady waits until Tideline is ready and returns its URL without a slash at the end. The URL
// is empty if the process serves no API.
func (p *Process) WaitReady() string {
	p.t.Helper()
	return p.wait(programReady)[1]
}

func (p *Process) waitLine(pattern *regexp.Regexp) ([]string, error) {
	deadline := time.After(eventually.Limit)
	for {
		match, more := p.out.find(pattern)
		if match != nil {
			return match, nil
		}
		select {
		case <-more:
		case <-p.done:
			// The last line may have arrived between the search and the end.
			if match, _ := p.out.find(pattern); match != nil {
				return match, nil
			}
			return nil, p.failure(fmt.Sprintf("ended (%v) without a line like %q", p.cmd.ProcessState, pattern))
		case <-deadline:
			return nil, p.failure(fmt.Sprintf("printed no line like %q within %v", pattern, eventually.Limit))
		}
	}
}

func (p *Process) failure(what string) error {
	return fmt.Errorf("testenv: %s %s; its output:\n%s", p.name, what, p.Output())
}

// Output returns the output so far: standard output and standard error in the order of arrival.
func (p *Process) Output() string {
	return p.out.String()
}

// Pid returns the process id. It is valid after the end too.
func (p *Process) Pid() int {
	return p.cmd.Process.Pid
}

// Done returns a channel that is closed when the program has ended.
func (p *Process) Done() <-chan struct{} {
	return p.done
}

// Kill ends the program at once, as kill -9 and a power failure do, and waits for its end. It does
// nothing to an ended program.
func (p *Process) Kill() {
	// The only possible error is that the program has already ended.
	_ = p.cmd.Process.Kill()
	<-p.done
}

// Interrupt asks the program to stop, as Ctrl-C does. It returns at once; see [Process.Wait].
func (p *Process) Interrupt() {
	p.t.Helper()
	p.Signal(syscall.SIGINT)
}

// Signal sends the program a signal, for instance SIGTERM. It fails the test if the program has
// ended.
func (p *Process) Signal(signal os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(p.failure(fmt.Sprintf("could not be sent %v: %v", signal, err)))
	}
}

// Wait waits for the program to end and returns its exit code, or -1 if a signal ended it. It fails
// the test after [eventually.Limit].
func (p *Process) Wait() int {
	p.t.Helper()
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(eventually.Limit):
		p.t.Fatal(p.failure(fmt.Sprintf("still runs after %v", eventually.Limit)))
		return -1
	}
}

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

// host is the only address on which test servers listen.
const host = "127.0.0.1"

// Ports are below 32768, where Linux begins to pick local ports for outgoing connections. A
// restarted server therefore finds its port free, however many connections other tests open.
const (
	firstPort = 15000
	lastPort  = 31999
)

// portTries is the number of ports to try. Nearly all of the 17,000 ports are free, so one try is
// nearly always enough.
const portTries = 50

// startTries is how often to start a server again on another port. Another process may take a port
// between the pick and the bind.
const startTries = 5

// FreePort returns a TCP port of 127.0.0.1 that was free a moment ago. Another process may take it
// first, so a caller that starts a server must be ready to retry with another port.
func FreePort(t testing.TB) int {
	t.Helper()
	port, err := freePort()
	check(t, err)
	return port
}

func freePort() (int, error) {
	for range portTries {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		listener, err := net.Listen("tcp", address(port))
		if err != nil {
			continue
		}
		if err := listener.Close(); err != nil {
			return 0, err
		}
		return port, nil
	}
	return 0, errors.New("testenv: found no free port on " + host)
}

func address(port int) string {
	return net.JoinHostPort(host, strconv.Itoa(port))
}
