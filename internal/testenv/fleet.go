package testenv

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// FleetOptions configures the processes of a [Fleet].
type FleetOptions struct {
	// APIs is the number of processes that serve requests. Workers is the number that do
	// background work.
	APIs, Workers int
	// Env is the environment of all processes, as "NAME=value". It has the URLs of the stores and
	// the secret of tokens. The fleet chooses the addresses.
	Env []string
}

// Fleet is several processes of the program that share their stores. Each has its own ports of
// 127.0.0.1. Call its methods and its members' from the test's goroutine, except those that return
// addresses.
type Fleet struct {
	// APIs and Workers are the processes. They stay the same through restarts.
	APIs, Workers []*Member
}

// Member is a process of a fleet.
type Member struct {
	// Name is the name in a test's log, such as "api 1".
	Name string
	// Program is the executable of the next start: [Binary] unless the test changes it.
	Program string
	// Env overrides the fleet's environment at the next start.
	Env []string

	t       testing.TB
	role    string
	shared  []string
	port    int // where an API listens; a worker does not
	admin   int
	process *Process
}

// StartFleet starts the processes one after the other, so that the first one migrates the database.
// It returns when all are ready. They end with the test.
func StartFleet(t testing.TB, options FleetOptions) *Fleet {
	t.Helper()
	f := &Fleet{}
	for i := range options.APIs {
		f.APIs = append(f.APIs, newMember(t, "api", i, options.Env))
	}
	for i := range options.Workers {
		f.Workers = append(f.Workers, newMember(t, "worker", i, options.Env))
	}
	return f
}

// newMember starts a process. It tries other ports if the first ones are taken.
func newMember(t testing.TB, role string, i int, env []string) *Member {
	t.Helper()
	m := &Member{Name: fmt.Sprint(role, " ", i+1), Program: Binary(t), t: t, role: role, shared: env}
	var err error
	for range startTries {
		m.port, m.admin = FreePort(t), FreePort(t)
		if err = m.start(); !errors.Is(err, errPortTaken) {
			break
		}
	}
	check(t, err)
	return m
}

func (m *Member) start() error {
	env := append(append([]string(nil), m.shared...), m.Env...)
	m.process = Program(m.t, []string{m.Program, "serve"}, append(env,
		"TIDELINE_ROLE="+m.role, "TIDELINE_ADDR="+address(m.port), "TIDELINE_ADMIN_ADDR="+address(m.admin)))
	_, err := m.process.waitLine(programReady)
	if err != nil && strings.Contains(m.process.Output(), "address already in use") {
		return errPortTaken
	}
	return err
}

// Addr returns the host and port of an API.
func (m *Member) Addr() string { return address(m.port) }

// AdminURL returns the URL of the admin listener, such as http://127.0.0.1:15001. It serves
// /metrics, /healthz and /readyz.
func (m *Member) AdminURL() string { return "http://" + address(m.admin) }

// Process returns the current or last process. Use it for the output, the pid and the end.
func (m *Member) Process() *Process { return m.process }

// Restart kills the process if it runs and starts it again on the same ports. It returns when the
// process is ready.
func (m *Member) Restart() {
	m.t.Helper()
	m.process.Kill()
	check(m.t, m.start())
}

// Skew shifts the member's clock by d, in whole seconds, from its next start on. 0 makes the clock
// correct again. The whole process sees the wrong time, including its libraries; intervals stay
// correct. Skew needs another executable. The first call in a test binary builds it.
//
// The program has no clock setting for tests. Neither a namespace nor a preloaded library changes
// the time of a Go program. The executable is therefore built from the same sources with a changed
// copy of the standard library's file that contains [time.Now].
func (m *Member) Skew(d time.Duration) {
	m.t.Helper()
	m.Program = skewedBinary.path(m.t)
	m.Env = append(m.Env, skewEnv+"="+strconv.FormatInt(int64(d/time.Second), 10))
}

// skewEnv is the environment variable that the copy of the standard library reads.
const skewEnv = "TESTENV_CLOCK_OFFSET_SECONDS"

// skewedBinary builds on the first call. sharedPostgres says why tests share it.
var skewedBinary = builtOnce(sync.OnceValues(func() (string, error) {
	dir, err := buildsDir()
	if err != nil {
		return "", err
	}
	// The go command takes no folder with this name for a package.
	sources := filepath.Join(dir, "_skewed")
	if err := os.MkdirAll(sources, 0o700); err != nil {
		return "", err
	}
	overlay, err := skewTime(sources)
	if err != nil {
		return "", err
	}
	return buildProgram(dir, "skewed", "-overlay", overlay)
}))

// readsClock is the text in the standard library by which Now reads the clock; the other text is
// added after it.
const (
	readsClock = "\tsec, nsec, mono := runtimeNow()\n"
	addsSkew   = "\tsec += skew\n"
)

// skewSource computes the offset once, at the start. Package time may import little, but it can
// read the environment.
const skewSource = `package time

import "syscall"

var skew = func() int64 {
	text, _ := syscall.Getenv("` + skewEnv + `")
	sign, seconds := int64(1), int64(0)
	for _, c := range text {
		if c == '-' {
			sign = -1
			continue
		}
		seconds = 10*seconds + int64(c-'0')
	}
	return sign * seconds
}()
`

// skewTime writes the changed copy into a folder and returns the overlay file for the go command.
func skewTime(dir string) (overlay string, err error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("testenv: go env GOROOT: %w", err)
	}
	library := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source, err := os.ReadFile(filepath.Join(library, "time.go"))
	if err != nil {
		return "", err
	}
	changed := strings.Replace(string(source), readsClock, readsClock+addsSkew, 1)
	if changed == string(source) {
		return "", errors.New("testenv: time.Now of this version of Go reads the clock in another way than is known here")
	}
	replace := map[string]string{}
	for name, text := range map[string]string{"time.go": changed, "skew.go": skewSource} {
		copied := filepath.Join(dir, name)
		replace[filepath.Join(library, name)] = copied
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}
