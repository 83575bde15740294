package telemetry

import (
	"io"
	"sync"
	"time"
)

const (
	// linesWithin is how long a line is held back at most: no reader of a log notices, and it
	// is no more than that what a process that is killed takes with it.
	linesWithin = 100 * time.Millisecond
	// linesMost is how many bytes are held back at most, some hundred lines: with as many the
	// write costs each of them next to nothing.
	linesMost = 16 << 10
)

// Lines writes the lines of a log, and holds back those of which there are many, so that one
// write takes many of them: a write for each request took two hundredths of the processor time
// of a page. All lines stay in the order in which they came. Make one with [NewLines]; it may
// be used by many goroutines.
type Lines struct {
	out io.Writer
	// later calls a function when some time has passed.
	later func(time.Duration, func())

	mu sync.Mutex
	// held are the lines that are held back. awaited says that they will be written before long.
	held    []byte
	awaited bool
}

// NewLines returns lines that are written to out.
func NewLines(out io.Writer) *Lines {
	return &Lines{out: out, later: func(d time.Duration, do func()) { time.AfterFunc(d, do) }}
}

// Write writes a line at once, behind those that were held back.
func (l *Lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.held) == 0 {
		return l.out.Write(line)
	}
	l.held = append(l.held, line...)
	return len(line), l.flush()
}

// Behind returns a writer whose lines are held back for a tenth of a second, or until another
// line is written to l. They are lost when the process is killed meanwhile.
func (l *Lines) Behind() io.Writer { return behind{l} }

type behind struct{ *Lines }

// Write implements [io.Writer].
func (b behind) Write(line []byte) (int, error) { return len(line), b.hold(line) }

func (l *Lines) hold(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = append(l.held, line...)
	if len(l.held) >= linesMost {
		return l.flush()
	}
	if !l.awaited {
		l.awaited = true
		l.later(linesWithin, func() { _ = l.due() }) // a log that cannot be written has nowhere to say so
	}
	return nil
}

// due writes what was held back for long enough.
func (l *Lines) due() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.awaited = false
	return l.flush()
}

// Flush writes what is held back. It is called at the end.
func (l *Lines) Flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.flush()
}

// flush writes what is held back. The mutex is held. What could not be written is given up, as
// a log does without lines rather than grow.
func (l *Lines) flush() error {
	if len(l.held) == 0 {
		return nil
	}
	_, err := l.out.Write(l.held)
	l.held = l.held[:0]
	return err
}
