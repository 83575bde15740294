package guard

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// Options configures a [Guard]. The zero value enforces the default limits only.
type Options struct {
	// Limits bounds documents and operations; [DefaultLimits] if zero.
	Limits Limits
	// Introspection allows introspection.
	Introspection bool
	// MayIntrospect further restricts introspection to some contexts; nil for all.
	MayIntrospect func(context.Context) bool
	// Rules validate documents; nil for those of the specification.
	Rules *rules.Rules
	// Scalars has the checks of custom scalars by name. Others accept every single value.
	Scalars map[string]Scalar
	// Bounds has the bounds of arguments and input fields by name, which means the same everywhere.
	Bounds map[string]Bound

	// Trusted has the documents of the operator, which clients name by id.
	Trusted Manifest
	// TrustedOnly refuses all other documents.
	TrustedOnly bool
	// Texts shares the texts of persisted queries between processes; nil to share none.
	Texts Texts
	// Holder returns the holder that a request's slot and stored texts count for: a user, a service, or
	// else an address, as package fairshare describes. Nil, and empty, mean no limit per holder.
	Holder func(context.Context) string

	// Rates are the budgets that pay for an operation, in order. If one does not suffice, the
	// operation is refused, and the payments before it are lost. If Budgets, which stores them, is
	// nil or fails, each process counts alone.
	Rates   []Rate
	Budgets Budgets
	// Now is the clock of the process's own budgets; [time.Now] if nil.
	Now func() time.Time

	// OperationsMax limits the concurrent queries, mutations and events; 0 for no limit. Events may
	// take half of it, and one holder a quarter.
	OperationsMax int
	// InParts reports whether the response to a query may have parts; nil if none may. Otherwise
	// @defer has no effect.
	InParts func(context.Context) bool
	// AfterWrite calls release once the response is written, and reports whether it will.
	// Otherwise, and if nil, the slot is released as soon as the response is made.
	AfterWrite func(ctx context.Context, release func()) bool

	// Evict returns the function that cancels an operation and the writing of its response, to make
	// room for one of another holder. It is nil if none can be cancelled; so is the result for one.
	Evict func(context.Context) func()

	// Header returns the header of the response; nil to discard it.
	Header func(context.Context) http.Header
	// Hit, unless nil, is called for each refused operation with the name of a [Rate], or
	// [LimitDocument] or [LimitOperations].
	Hit func(limit string)
	// Log gets failures that clients do not see; nil discards them.
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
	if o.Holder == nil {
		o.Holder = func(context.Context) string { return "" }
	}
	if o.InParts == nil {
		o.InParts = func(context.Context) bool { return false }
	}
	if o.AfterWrite == nil {
		o.AfterWrite = func(context.Context, func()) bool { return false }
	}
	if o.Evict == nil {
		o.Evict = func(context.Context) func() { return nil }
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

// The limits, besides rates, that [Options.Hit] names.
const (
	LimitDocument   = "document"
	LimitOperations = "operations"
)

// Guard is the extension of the executor, safe for concurrent use. Create one with [New].
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

// New returns a guard for a schema.
func New(schema *ast.Schema, o Options) *Guard {
	o = o.withDefaults()
	g := &Guard{
		o: o, schema: schema, documents: newDocuments(schema), rates: newMeter(o),
		inputs: &coercer{schema: schema, scalars: o.Scalars, bounds: o.Bounds},
	}
	g.texts = newTexts(o, &g.rates)
	if o.OperationsMax > 0 {
		g.slots = newSlots(o.OperationsMax, o.Holder)
	}
	return g
}

// Documents returns the cache of valid documents for the executor. They must not be changed.
func (g *Guard) Documents() graphql.Cache[*ast.QueryDocument] { return g.documents }

// ExtensionName implements [graphql.HandlerExtension].
func (*Guard) ExtensionName() string { return extensionName }

const extensionName = "Guard"

// Validate accepts every schema.
func (*Guard) Validate(graphql.ExecutableSchema) error { return nil }

type admitted struct {
	cost, limit int
	// left is the rest of the first budget; -1 if there is none.
	left                int
	document            *document
	isNew               bool
	kept                int
	parsing, validation graphql.TraceTiming
	// begun is set by the first part of a response, which holds the slot for all.
	begun bool
	// keep is the hash under which to store a valid document; empty to store none.
	keep string
}

func admittedOf(oc *graphql.OperationContext) *admitted {
	state, _ := oc.Stats.GetExtension(extensionName).(*admitted)
	return state
}

// MutateOperationParameters finds, measures, charges and validates the document of a request, and
// coerces its variables, before the executor does anything.
func (g *Guard) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	state, cost, refused := g.evaluate(ctx, params)
	if refused != nil && apierror.CodeOf(refused) == apierror.TooComplex {
		g.o.Hit(LimitDocument)
	}
	size, _ := params.Extensions[sizeExtension].(int)
	left, overspent := g.rates.charge(ctx, g.o.Header(ctx), cost+size/unit)
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
	state.document = g.variant(ctx, state.document, params.OperationName)
	oc := graphql.GetOperationContext(ctx)
	oc.Stats.SetExtension(extensionName, state)
	return g.coerce(oc, state, params)
}

const (
	// refusedCost is the price of a refused request: refusing takes time too.
	refusedCost = 10
	// comparisonsPerUnit comparisons of validation take as long as loading an object. Those of
	// ordinary documents round down to 0.
	comparisonsPerUnit = 1000
)

func (g *Guard) mayIntrospect(ctx context.Context) bool {
	return g.o.Introspection && (g.o.MayIntrospect == nil || g.o.MayIntrospect(ctx))
}

// evaluate returns the state of an operation and its cost, or an error and its cost.
func (g *Guard) evaluate(ctx context.Context, params *graphql.RawParams) (*admitted, int, *gqlerror.Error) {
	keep, refused := g.find(ctx, params)
	if refused != nil {
		return nil, refusedCost, refused
	}
	state := &admitted{limit: g.o.Limits.Cost, left: -1, keep: keep}
	if refused := g.open(ctx, state, params.Query); refused != nil {
		return nil, refusedCost, refused
	}
	m := g.documents.measure(state.document, params.OperationName, params.Variables)
	state.kept, _ = params.Extensions[keptExtension].(int)
	if m.Idle > 0 {
		m.Idle = plus(m.Idle, state.kept)
	}
	if state.isNew {
		state.kept += state.document.bytes
	}
	refused = g.o.Limits.check(m)
	if refused == nil && m.Introspects && !g.mayIntrospect(ctx) {
		refused = apierror.New(apierror.ValidationFailed, "introspection is off; the schema is at /schema.graphql")
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

// MutateOperationContext sets times: for the executor, every document comes from the cache.
func (g *Guard) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if state := admittedOf(oc); state != nil && state.isNew {
		oc.Stats.Parsing, oc.Stats.Validation = state.parsing, state.validation
	}
	return nil
}

const (
	busy       = "the server is busy; try again in a moment"
	holderBusy = "too many of your operations run at once; try again in a moment"
)

// busyRetryAfter is the smallest Retry-After, in seconds. Slots are held for milliseconds.
const busyRetryAfter = "1"

// InterceptResponse runs a query or a mutation if a slot is free, and holds the slot until the
// response is written. Otherwise it refuses the operation, because in a long queue all answers
// would be too late; if another holder has many more slots, that one loses its oldest operation. Subscriptions pass, because they mostly wait; [Guard.Event] runs their events.
func (g *Guard) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	oc := OperationOf(ctx)
	state := admittedOf(oc)
	if state == nil || oc.Operation == nil || oc.Operation.Operation == ast.Subscription || state.begun {
		return next(ctx)
	}
	state.begun = true
	graphql.RegisterExtension(ctx, "cost", state.costExtension())
	if g.slots == nil {
		return next(ctx)
	}
	release, evicted, full := g.slots.try(ctx, g.o.Evict(ctx))
	if full != nil {
		return g.full(ctx, full)
	}
	response := g.run(ctx, release, next)
	if evicted.Load() {
		return g.full(ctx, apierror.New(feed.CodeUnavailable, busy))
	}
	return response
}

// full returns the response to an operation that gets no slot, or loses it.
func (g *Guard) full(ctx context.Context, why *gqlerror.Error) *graphql.Response {
	g.o.Hit(LimitOperations)
	g.o.Header(ctx).Set("Retry-After", busyRetryAfter)
	graphql.AddError(ctx, why)
	errs := graphql.GetErrors(ctx)
	return &graphql.Response{Errors: errs[len(errs)-1:], Extensions: graphql.GetExtensions(ctx)}
}

func (g *Guard) run(ctx context.Context, release func(), next graphql.ResponseHandler) *graphql.Response {
	if !g.o.AfterWrite(ctx, release) {
		defer release()
	}
	return next(ctx)
}

// Slot waits for the slot of an event. Holders get slots in turn. It returns nil if ctx is done before.
// The caller passes release to [Guard.Event], or calls it.
func (g *Guard) Slot(ctx context.Context) (release func()) {
	if g.slots == nil {
		return func() {}
	}
	return g.slots.wait(ctx)
}

// Event charges an event like the operation of its subscription, and runs it. The slot is held until
// the event is written. The error is RATE_LIMITED if a budget does not suffice.
func (g *Guard) Event(ctx context.Context, release func(), run graphql.ResponseHandler) (*graphql.Response, *gqlerror.Error) {
	if state := admittedOf(OperationOf(ctx)); state != nil {
		// The header of the response has been sent, so this one is discarded.
		if _, overspent := g.rates.charge(ctx, http.Header{}, state.cost); overspent != nil {
			release()
			return nil, overspent
		}
	}
	return g.run(ctx, release, run), nil
}

// Message charges one unit for a message on a socket that starts no operation, such as a ping, or
// returns RATE_LIMITED.
func (g *Guard) Message(ctx context.Context) error {
	if _, overspent := g.rates.charge(ctx, http.Header{}, 1); overspent != nil {
		return overspent
	}
	return nil
}

// OperationOf returns the operation in ctx, or an empty one, where gqlgen's function panics.
func OperationOf(ctx context.Context) *graphql.OperationContext {
	if graphql.HasOperationContext(ctx) {
		return graphql.GetOperationContext(ctx)
	}
	return &graphql.OperationContext{}
}

// Kept returns the memory in bytes that an operation keeps as long as it runs: the parts of its request
// that the transport names, and its document unless that was cached before.
func Kept(oc *graphql.OperationContext) int {
	if state := admittedOf(oc); state != nil {
		return state.kept
	}
	return 0
}

func (a *admitted) costExtension() cost {
	c := cost{Requested: a.cost, Limit: a.limit}
	if a.left >= 0 {
		c.Remaining = new(a.left)
	}
	return c
}

type cost struct {
	Limit     int  `json:"limit"`
	Remaining *int `json:"remaining,omitempty"`
	Requested int  `json:"requested"`
}
