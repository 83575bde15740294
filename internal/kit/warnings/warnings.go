// Package warnings reports conditions that cause no failure now but may later, such as a Redis that
// evicts keys. To add a warning, append a [Check] to the list in warnings.go of package app.
package warnings

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	// Interval is how often to evaluate the checks. Each reads a line or two from a store.
	Interval = 10 * time.Second
	// checkTimeout limits one evaluation, so that a slow store hardly delays the other checks.
	checkTimeout = 2 * time.Second
)

// Check detects one condition.
type Check struct {
	// Name identifies the check in metrics and logs. It is constant and in snake_case.
	Name string
	// Action says in one sentence what to do. ActionFor, unless nil, returns it for a message instead.
	Action    string
	ActionFor func(message string) string
	// Evaluate returns what is wrong in one sentence, or "". After an error, the last result stays.
	// Evaluations of one check never overlap. /readyz shows the sentence to the public, so it must
	// not contain addresses, secrets or user names, nor a number whose changes would be logged.
	Evaluate func(ctx context.Context) (message string, err error)
}

// Warning is the result of a check.
type Warning struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Action  string `json:"action"`
}

// Monitor evaluates checks and keeps their results. It is safe for concurrent use.
type Monitor struct {
	checks []Check
	log    *slog.Logger

	evaluating sync.Mutex
	mu         sync.Mutex
	messages   map[string]string // by name; guarded by mu
}

// New returns a monitor of checks with different names. It has no results yet.
func New(log *slog.Logger, checks ...Check) *Monitor {
	return &Monitor{checks: checks, log: log, messages: map[string]string{}}
}

// Evaluate runs all checks in order. It logs each warning that begins, changes or ends.
func (m *Monitor) Evaluate(ctx context.Context) {
	m.evaluating.Lock()
	defer m.evaluating.Unlock()
	for _, c := range m.checks {
		message, err := c.run(ctx)
		if err != nil {
			m.log.Debug("a check could not find out whether to warn", "check", c.Name, "error", err)
			continue
		}
		m.report(c, message)
	}
}

func (c Check) run(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return c.Evaluate(ctx)
}

func (c Check) action(message string) string {
	if c.ActionFor != nil {
		return c.ActionFor(message)
	}
	return c.Action
}

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
		m.log.Warn(message, "warning", c.Name, "action", c.action(message))
	}
}

// Active returns the current warnings, in the order of the checks.
func (m *Monitor) Active() []Warning {
	m.mu.Lock()
	defer m.mu.Unlock()
	var active []Warning
	for _, c := range m.checks {
		if message := m.messages[c.Name]; message != "" {
			active = append(active, Warning{Name: c.Name, Message: message, Action: c.action(message)})
		}
	}
	return active
}

// States returns for each check, by name, whether its warning is active.
func (m *Monitor) States() map[string]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	states := make(map[string]bool, len(m.checks))
	for _, c := range m.checks {
		states[c.Name] = m.messages[c.Name] != ""
	}
	return states
}
