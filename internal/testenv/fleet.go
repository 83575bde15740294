package testenv

import (
	"errors"
	"fmt"
	"strings"
	"testing"
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
