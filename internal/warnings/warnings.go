// Package warnings tells operators of conditions that stop nothing now and cost them
// something later: a setting that no command reads, a Redis that evicts keys.
//
// A [Check] looks for one condition. A [Monitor] evaluates a list of checks again and
// again; the log, /readyz, the metric tideline_warning and the doctor report what it found.
// To add a warning, write a function that returns a Check and append it to the list in
// warnings.go of package app.
package warnings

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	// Interval is how often to evaluate the checks. A check asks each store for a line or
	// two, and an operator acts on a warning within minutes.
	Interval = 10 * time.Second
	// lookWithin bounds one look, so that a store that does not answer delays the other
	// checks by no more than that.
	lookWithin = 2 * time.Second
)

// Check looks for one condition.
type Check struct {
	// Name identifies the check in metrics and logs. It is constant and in snake_case.
	Name string
	// Action says in one sentence what to do about the condition.
	Action string
	// Look returns what is wrong in one sentence, or "" if all is well. An error means that
	// it could not find out; the result of the look before then stays. Looks of one check
	// never run at the same time.
	//
	// /readyz shows the sentence to anyone: it must hold no address, secret or name of a
	// user. A sentence that changes is logged again: it must hold no number that changes
	// by itself.
	Look func(ctx context.Context) (message string, err error)
}

// Warning is the finding of a check.
type Warning struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Action  string `json:"action"`
}

// Monitor evaluates checks and holds what they found. Make one with [New]. It is safe for
// use by many goroutines.
type Monitor struct {
	checks []Check
	log    *slog.Logger

	evaluating sync.Mutex
	mu         sync.Mutex
	messages   map[string]string // by name; guarded by mu
}

// New returns a monitor of the checks, whose names must differ. It has found nothing yet.
func New(log *slog.Logger, checks ...Check) *Monitor {
	return &Monitor{checks: checks, log: log, messages: map[string]string{}}
}

// Evaluate runs every check once, one after the other. It logs each warning that begins,
// changes or ends.
func (m *Monitor) Evaluate(ctx context.Context) {
	m.evaluating.Lock()
	defer m.evaluating.Unlock()
	for _, c := range m.checks {
		message, err := c.look(ctx)
		if err != nil {
			m.log.Debug("a check could not find out whether to warn", "check", c.Name, "error", err)
			continue
		}
		m.report(c, message)
	}
}

func (c Check) look(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	return c.Look(ctx)
}

// report stores what a check found, and logs it if it differs from the time before.
func (m *Monitor) report(c Check, message string) {
	m.mu.Lock()
	before := m.messages[c.Name]
	m.messages[c.Name] = message
	m.mu.Unlock()
	switch {
	case message == before:
	case message == "":
		m.log.Info("warning ended", "warning", c.Name, "message", before)
	default:
		m.log.Warn(message, "warning", c.Name, "action", c.Action)
	}
}

// Active returns the warnings that hold, in the order of the checks.
func (m *Monitor) Active() []Warning {
	m.mu.Lock()
	defer m.mu.Unlock()
	var active []Warning
	for _, c := range m.checks {
		if message := m.messages[c.Name]; message != "" {
			active = append(active, Warning{Name: c.Name, Message: message, Action: c.Action})
		}
	}
	return active
}

// States returns, by the names of all checks, whether the warning holds.
func (m *Monitor) States() map[string]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	states := make(map[string]bool, len(m.checks))
	for _, c := range m.checks {
		states[c.Name] = m.messages[c.Name] != ""
	}
	return states
}
