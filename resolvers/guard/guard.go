package guard

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// Options sets up a [Guard]. The zero value guards by the default limits, and by nothing
// else.
type Options struct {
	// Limits of documents and operations; [DefaultLimits] when zero.
	Limits Limits
	// Introspection lets documents ask for the schema.
	Introspection bool
	// Describe says of a request, by its context, whether its document may do so where
	// Introspection lets it; nil for every request.
	Describe func(context.Context) bool
	// Rules are what documents are validated by; those of the specification when nil.
	Rules *rules.Rules
	// Scalars are the custom scalars of the schema by their names. One that is missing accepts
	// every value but lists and objects.
	Scalars map[string]Scalar
	// Bounds are those of arguments and input fields by their names, which mean the same
	// everywhere in the schema. One that is missing has no bound.
	Bounds map[string]Bound

	// Trusted are the documents that the operator trusts. Clients name them by id.
	Trusted Manifest
	// TrustedOnly refuses every other document, also when its text is sent.
	TrustedOnly bool
	// Texts are shared with other processes: the documents that clients have sent, by
	// their hash. When nil, each process keeps its own only.
	Texts Texts
	// Client returns the key of the client that a request comes from, by its context; empty
	// for one without a quota. Each client may store a limited number of texts in a day, in
	// Texts and in the process. Further ones are executed but not stored. No client has a
	// quota when Client is nil.
	Client func(context.Context) string

	// Rates are the budgets that an operation is taken from, all of them in their order.
	// When one does not suffice, the operation is refused, and what those before it have
	// paid is gone. Budgets keeps what has been spent; each process counts for itself when
	// it is nil, and while it does not answer.
	Rates   []Rate
	Budgets Budgets
	// Now is the clock of budgets that the process keeps itself; [time.Now] when nil.
	Now func() time.Time

	// OperationsMax is how many queries, mutations and events of subscriptions may run at
	// once; any number when zero. Events are half of them at most, and those of one address a
	// quarter.
	OperationsMax int
	// Address returns the address that an operation comes from. When nil, the share of an
	// address is not bounded.
	Address func(context.Context) string
	// AfterWrite has release called once the response of the operation is written, and
	// reports whether it will be. When it is nil or false, an operation counts as one that
	// runs only until its response is made.
	AfterWrite func(ctx context.Context, release func()) bool

	// Header returns the header of the response in the making. Nothing is said there when
	// it is nil.
	Header func(context.Context) http.Header
	// Hit is told of every operation that is turned away, by what: the name of a [Rate],
	// [LimitDocument] or [LimitOperations]. Nobody is told when it is nil.
	Hit func(limit string)
	// Log is told of what clients are not: a store that does not answer. Nothing is logged
	// when nil.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	if o.Rules == nil {
		o.Rules = rules.NewDefaultRules()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Client == nil {
		o.Client = func(context.Context) string { return "" }
	}
	if o.AfterWrite == nil {
		o.AfterWrite = func(context.Context, func()) bool { return false }
	}
	if o.Header == nil {
		o.Header = func(context.Context) http.Header { return http.Header{} }
	}
	if o.Hit == nil {
		o.Hit = func(string) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// The limits besides rates that [Options.Hit] names.
const (
	// LimitDocument: what a document asks for, or how it is written.
	LimitDocument = "document"
	// LimitOperations: how many operations and events may run at once.
	LimitOperations = "operations"
)

// Guard is the extension of the executor. Make one with [New]; it may be used by many
// goroutines.
type Guard struct {
	o         Options
	schema    *ast.Schema
	documents documents
	inputs    *coercer
	texts     texts
	rates     meter
	slots     *slots // nil when any number of operations may run
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
	graphql.OperationContextMutator
	graphql.ResponseInterceptor
} = (*Guard)(nil)

// New returns a guard for operations on a schema.
func New(schema *ast.Schema, o Options) *Guard {
	o = o.withDefaults()
	g := &Guard{
		o: o, schema: schema, documents: newDocuments(schema), rates: newMeter(o),
		inputs: &coercer{schema: schema, scalars: o.Scalars, bounds: o.Bounds},
	}
	g.texts = newTexts(o, &g.rates)
	if o.OperationsMax > 0 {
		g.slots = newSlots(o.OperationsMax, o.Address)
	}
	return g
}

// Documents returns the cache of parsed and validated documents, which the executor is to
// use. What is in it is shared and must not be changed.
func (g *Guard) Documents() graphql.Cache[*ast.QueryDocument] { return g.documents }

// ExtensionName names the extension to the executor.
func (*Guard) ExtensionName() string { return extensionName }

const extensionName = "Guard"

// Validate accepts every schema.
func (*Guard) Validate(graphql.ExecutableSchema) error { return nil }

// admitted is what the guard knows of an operation that it let through.
type admitted struct {
	cost, limit int
	// left is what is left of the first budget; -1 when there is none.
	left int
	// document is the operation's, and isNew says that it has yet to be validated.
	document *document
	isNew    bool
	// parsing and validation are when a new document was parsed and validated.
	parsing, validation graphql.TraceTiming
	// keep is the hash under which the document is to be kept once it is valid; empty for
	// one that is not to be kept.
	keep string
}

// admittedOf returns what is known of an operation; nil for one that no guard has admitted.
func admittedOf(oc *graphql.OperationContext) *admitted {
	state, _ := oc.Stats.GetExtension(extensionName).(*admitted)
	return state
}

// MutateOperationParameters finds the document of a request, measures it and charges for
// it, validates it and coerces its variables, all before the executor does anything. The
// request is refused when its document cannot be had, goes beyond a limit, costs more than is
// left, or is not valid, and when a literal or a variable is not of its type.
func (g *Guard) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	state, cost, refused := g.judge(ctx, params)
	if refused != nil && apierror.CodeOf(refused) == apierror.TooComplex {
		g.o.Hit(LimitDocument)
	}
	left, overspent := g.rates.charge(ctx, g.o.Header(ctx), cost)
	switch {
	case overspent != nil:
		return overspent
	case refused != nil:
		return refused
	}
	state.left = left
	if refused := g.validate(ctx, state, params.Query); refused != nil {
		return refused
	}
	oc := graphql.GetOperationContext(ctx)
	oc.Stats.SetExtension(extensionName, state)
	return g.coerce(oc, state, params)
}

const (
	// refusedCost is charged for what is refused, since finding that out takes time too.
	refusedCost = 10
	// comparisonsPerUnit is how much validation costs as much as loading an object.
	// Ordinary documents take less, so theirs costs nothing.
	comparisonsPerUnit = 1000
)

// describes says whether a request may ask for the schema.
func (g *Guard) describes(ctx context.Context) bool {
	return g.o.Introspection && (g.o.Describe == nil || g.o.Describe(ctx))
}

// judge returns what is known of the operation and what to charge, or why it is refused
// and what to charge for that.
func (g *Guard) judge(ctx context.Context, params *graphql.RawParams) (*admitted, int, *gqlerror.Error) {
	keep, refused := g.find(ctx, params)
	if refused != nil {
		return nil, refusedCost, refused
	}
	state := &admitted{limit: g.o.Limits.Cost, left: -1, keep: keep}
	if refused := g.open(ctx, state, params.Query); refused != nil {
		return nil, refusedCost, refused
	}
	m := g.documents.measure(state.document, params.OperationName, params.Variables)
	refused = g.o.Limits.check(m)
	if refused == nil && m.Introspects && !g.describes(ctx) {
		refused = apierror.New(apierror.ValidationFailed, "introspection is switched off; the schema can be had at /schema.graphql")
	}
	if refused != nil {
		return nil, refusedCost, refused
	}
	state.cost = max(1, m.Cost)
	if !state.isNew {
		return state, state.cost, nil
	}
	return state, state.cost + m.Comparisons/comparisonsPerUnit, nil
}

// MutateOperationContext notes how long it took to parse and validate a new document, which
// the executor takes for one that it had in its cache.
func (g *Guard) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if state := admittedOf(oc); state != nil && state.isNew {
		oc.Stats.Parsing, oc.Stats.Validation = state.parsing, state.validation
	}
	return nil
}

// busy is the answer when too many operations run.
const busy = "the server is busy; try again in a moment"

// addressBusy is the answer when too many operations of the client's address run.
const addressBusy = "too many operations from your address run at once; try again in a moment"

// busyFor is the Retry-After, in seconds, when too many operations run: they take
// milliseconds, so the shortest there is.
const busyFor = "1"

// InterceptResponse runs a query or a mutation if there is a slot for it, which it holds until
// its response is written. Otherwise it is refused at once: a client that waits in a queue that
// does not get shorter is answered too late. It adds extensions.cost to the response.
// Subscriptions pass, because they mostly wait: [Guard.Event] runs their events.
func (g *Guard) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	oc := OperationOf(ctx)
	state := admittedOf(oc)
	if state == nil || oc.Operation == nil || oc.Operation.Operation == ast.Subscription {
		return next(ctx)
	}
	graphql.RegisterExtension(ctx, "cost", state.shown())
	if g.slots == nil {
		return next(ctx)
	}
	release, full := g.slots.try(ctx)
	if full == nil {
		return g.run(ctx, release, next)
	}
	g.o.Hit(LimitOperations)
	g.o.Header(ctx).Set("Retry-After", busyFor)
	return &graphql.Response{Errors: gqlerror.List{full}, Extensions: graphql.GetExtensions(ctx)}
}

// run runs an operation or an event that holds a slot.
func (g *Guard) run(ctx context.Context, release func(), next graphql.ResponseHandler) *graphql.Response {
	if !g.o.AfterWrite(ctx, release) {
		defer release()
	}
	return next(ctx)
}

// Event runs an event of a subscription, once it has come. The subscriber is charged what the
// operation was. The event waits for a slot until ctx ends, because a client repeats an
// operation that is refused, but would lose an event; it holds the slot until it is written.
// If the event may not run, the error says why: RATE_LIMITED when a budget does not suffice,
// and UNAVAILABLE when there was no slot in time.
func (g *Guard) Event(ctx context.Context, run graphql.ResponseHandler) (*graphql.Response, *gqlerror.Error) {
	state := admittedOf(OperationOf(ctx))
	if state == nil {
		return run(ctx), nil
	}
	// The header of the response is long sent, so nobody reads what is said in this one.
	if _, overspent := g.rates.charge(ctx, http.Header{}, state.cost); overspent != nil {
		return nil, overspent
	}
	if g.slots == nil {
		return run(ctx), nil
	}
	release := g.slots.wait(ctx)
	if release == nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) { // or else the client has left
			g.o.Hit(LimitOperations)
		}
		return nil, apierror.New(feed.CodeUnavailable, busy)
	}
	return g.run(ctx, release, run), nil
}

// Message charges the budgets for a message on a socket that begins no operation, such as a
// ping: one unit, the least there is. The error is RATE_LIMITED when a budget does not suffice.
func (g *Guard) Message(ctx context.Context) error {
	if _, overspent := g.rates.charge(ctx, http.Header{}, 1); overspent != nil {
		return overspent
	}
	return nil
}

// OperationOf returns the operation that a response belongs to, an empty one when it
// belongs to none: the executor's own function panics then.
func OperationOf(ctx context.Context) *graphql.OperationContext {
	if graphql.HasOperationContext(ctx) {
		return graphql.GetOperationContext(ctx)
	}
	return &graphql.OperationContext{}
}

// shown is extensions.cost.
func (a *admitted) shown() cost {
	c := cost{Requested: a.cost, Limit: a.limit}
	if a.left >= 0 {
		c.Remaining = new(a.left)
	}
	return c
}

// cost says what the operation was charged, what one may cost at most, and what is left of
// the first budget, if there is one.
type cost struct {
	Limit     int  `json:"limit"`
	Remaining *int `json:"remaining,omitempty"`
	Requested int  `json:"requested"`
}
