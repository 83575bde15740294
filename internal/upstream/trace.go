package upstream

import (
	"time"
)

// Counts says where the answers of a [Service.Fetch] came from.
type Counts struct{ Cached, Read, Stale, Missing int }

// Trace observes services. Its functions may be nil, are called concurrently, and must not block.
type Trace struct {
	// Called is called after each call, with the number of its references and its error.
	Called func(service string, refs int, took time.Duration, err error)
	// Fetched is called for each fetch.
	Fetched func(service string, n Counts)
	// Turned is called when the circuit of a service opens, with the error, and when it closes.
	Turned func(service string, open bool, err error)
}

func (t Trace) called(service string, refs int, took time.Duration, err error) {
	if t.Called != nil {
		t.Called(service, refs, took, err)
	}
}

func (t Trace) fetched(service string, n Counts) {
	if t.Fetched != nil {
		t.Fetched(service, n)
	}
}

func (t Trace) turned(service string, open bool, err error) {
	if t.Turned != nil {
		t.Turned(service, open, err)
	}
}
