package transport

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

// channel sends the messages of operations to one client. Calls are serialized.
type channel interface {
	// next sends an encoded response. After an error the operation ends.
	next(id string, response []byte) error
	// failed ends an operation with the errors of a response without data.
	failed(id string, response *graphql.Response)
	complete(id string)
}

// multiplex runs the operations of one connection. Each has a goroutine that writes its responses;
// an idle subscription has none.
type multiplex struct {
	t       *Transport
	exec    graphql.GraphExecutor
	channel channel
	holder  string // for whose share messages count
	cutOff  func() // cuts the connection off
	evict   func() // ends the connection to make room for other clients

	// mu is held while a message of an operation is written, so that none follows its end.
	mu         sync.Mutex
	operations map[string]*operation // by id; what was ended is gone, though it may still run
	running    int
	stopping   bool // no operation begins any more
	done       sync.WaitGroup
	idle       idle
	// executing has an element for each query and mutation that runs or is being written.
	executing chan struct{}
}

// executingMax limits the queries and mutations that run at once on a connection; others wait. While
// one is made and written, it may take three times its 4 MiB of data, and nothing counts these before the
// response is complete.
const executingMax = 4

// newMultiplex returns the operations of a connection of the client of a.
func newMultiplex(a exchange) multiplex {
	return multiplex{
		t: a.t, exec: a.exec, holder: a.holder,
		operations: map[string]*operation{}, executing: make(chan struct{}, executingMax),
	}
}

type operation struct {
	id     string
	ctx    context.Context
	cancel context.CancelFunc
	// subscription is set once the operation is parsed, and release once it waits; the mutex of
	// multiplex guards them.
	subscription bool
	release      func()
}

// isFull reports whether no further operation may begin. The caller holds mu.
func (m *multiplex) isFull() bool { return m.running >= m.t.o.OperationsMax }

// add returns a new operation in a descendant of ctx, until ended is called. The caller holds mu.
func (m *multiplex) add(ctx context.Context, id string) *operation {
	ctx, cancel := context.WithCancel(graphql.StartOperationTrace(ctx))
	o := &operation{id: id, ctx: ctx, cancel: cancel}
	m.operations[id] = o
	m.running++
	m.done.Add(1)
	return o
}

// ended forgets an operation that runs no more.
func (m *multiplex) ended(o *operation) {
	defer m.done.Done()
	m.mu.Lock()
	defer m.mu.Unlock()
	o.cancel()
	if o.release != nil {
		o.release()
	}
	m.running--
	if m.operations[o.id] == o {
		delete(m.operations, o.id)
	}
}

// cancel cancels an operation. Its id is free at once; it counts as running until it has ended.
func (m *multiplex) cancel(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o := m.operations[id]; o != nil {
		o.cancel()
		delete(m.operations, id)
	}
}

// execute runs an operation, calls ended after it, and returns earlier for a subscription.
func (m *multiplex) execute(o *operation, oc *graphql.OperationContext) {
	streams := false
	defer func() {
		if !streams {
			m.ended(o)
		}
	}()
	defer m.recovered(o)
	if isSubscription(oc) {
		m.keep(o, oc)
		if m.mayStream(o) {
			m.begin(o, oc)
			streams = true
		}
		return
	}
	select {
	case m.executing <- struct{}{}:
		defer func() { <-m.executing }()
	case <-o.ctx.Done():
		return
	}
	ctx, after := withAfterWrite(o.ctx)
	for response := range m.t.responses(ctx, after, m.exec, oc) {
		if m.t.o.Recheck(o.ctx) != nil || !m.sendResponse(o, response) {
			return
		}
	}
	m.sendLast(o, func() { m.channel.complete(o.id) })
}

// keep counts the memory of an operation that waits until it has ended.
func (m *multiplex) keep(o *operation, oc *graphql.OperationContext) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o.release == nil {
		o.release = m.idle.keep(m.t, m.holder, oc, m.evict)
	}
}

// recovered answers an operation that panicked. It must be deferred.
func (m *multiplex) recovered(o *operation) {
	if value := recover(); value != nil {
		m.fail(o, panicked(o.ctx, m.exec, value))
	}
}

// subscription is a subscription that has begun. Each response has a goroutine of its own.
type subscription struct {
	*operation
	m     *multiplex
	ctx   context.Context
	after *afterWrite
	next  graphql.ResponseHandler
}

// begin begins a subscription.
func (m *multiplex) begin(o *operation, oc *graphql.OperationContext) {
	ctx, after := withAfterWrite(o.ctx)
	next, ctx := m.exec.DispatchOperation(ctx, oc)
	(&subscription{o, m, ctx, after, next}).await()
}

// await responds once there is something to send.
func (b *subscription) await() {
	if b.after.notify == nil {
		b.m.t.workers.run(b.respond)
		return
	}
	b.after.notify(func() { b.m.t.workers.run(b.respond) })
}

func (b *subscription) respond() {
	more := false
	defer func() {
		if more {
			b.await()
			return
		}
		b.m.ended(b.operation)
	}()
	defer b.m.recovered(b.operation)
	defer b.after.written()
	response := b.next(b.ctx)
	if response == nil {
		b.m.sendLast(b.operation, func() { b.m.channel.complete(b.id) })
		return
	}
	more = b.m.t.o.Recheck(b.operation.ctx) == nil && b.m.sendResponse(b.operation, response)
}

// mayStream records a subscription. It returns false if the connection is stopping.
func (m *multiplex) mayStream(o *operation) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	o.subscription = true
	return !m.stopping
}

// sendResponse sends a response, and reports whether the client wants the next one.
func (m *multiplex) sendResponse(o *operation, response *graphql.Response) bool {
	text := encode(response)
	response.Data = nil
	// While it is written, the message is in memory twice.
	defer m.t.keep(m.holder, 2*len(text), m.cutOff)()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.operations[o.id] == o && m.channel.next(o.id, text) == nil
}

func (m *multiplex) fail(o *operation, response *graphql.Response) {
	m.sendLast(o, func() { m.channel.failed(o.id, response) })
}

// sendLast calls send unless the client has ended the operation.
func (m *multiplex) sendLast(o *operation, send func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.operations[o.id] == o {
		delete(m.operations, o.id)
		send()
	}
}

// finish cancels subscriptions, and returns once queries and mutations are answered. Clients repeat
// subscriptions, which end without "complete", and new operations on their next connection.
func (m *multiplex) finish() {
	m.mu.Lock()
	m.stopping = true
	var finishing []*operation
	for id, o := range m.operations {
		if o.subscription {
			o.cancel()
			delete(m.operations, id)
		} else {
			finishing = append(finishing, o)
		}
	}
	m.mu.Unlock()
	for _, o := range finishing {
		<-o.ctx.Done()
	}
}
