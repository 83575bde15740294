package guard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// Texts stores the texts of documents by their SHA-256 in lower-case hexadecimal, for all
// processes. It may forget a text at any time. It is safe for concurrent use.
type Texts interface {
	// Text returns the text with a hash; empty if it is unknown.
	Text(ctx context.Context, hash string) (string, error)
	// KeepText stores a text under its hash.
	KeepText(ctx context.Context, hash, text string) error
}

// Extensions of the transport: two that identify a document, the size of the request, and how much of
// it a subscription keeps.
const (
	documentIDExtension = "documentId"
	persistedExtension  = "persistedQuery"
	sizeExtension       = "requestBytes"
	keptExtension       = "keptBytes"
)

// find sets the text of the document of a request. It returns the hash under which to store the
// text once it is valid; empty to store none.
func (g *Guard) find(ctx context.Context, params *graphql.RawParams) (keep string, refused *gqlerror.Error) {
	id, refused := documentID(params.Extensions)
	if refused != nil {
		return "", refused
	}
	switch {
	case params.Query == "":
		params.Query, refused = g.text(ctx, id)
		return "", refused
	case g.o.TrustedOnly:
		return "", g.onlyTrusted(params.Query)
	case id == "":
		return "", nil
	}
	if hash(params.Query) == id {
		return id, nil
	}
	if text, trusted := g.o.Trusted.text(id); trusted && text == params.Query {
		return "", nil
	}
	return "", apierror.New(feed.CodeBadInput, "the query does not match its id")
}

func (g *Guard) text(ctx context.Context, id string) (string, *gqlerror.Error) {
	text, known := g.o.Trusted.text(id)
	if !known && !g.o.TrustedOnly {
		text, known = g.texts.get(ctx, id)
	}
	if !known {
		// Clients of automatic persisted queries compare this message.
		return "", apierror.New(apierror.UnknownDocument, "PersistedQueryNotFound")
	}
	return text, nil
}

func (g *Guard) onlyTrusted(text string) *gqlerror.Error {
	if g.o.Trusted.has(text) {
		return nil
	}
	return apierror.New(feed.CodeForbidden, "this server accepts trusted documents only")
}

// documentID returns the id in a request's extensions, without prefix; empty if there is none.
func documentID(extensions map[string]any) (string, *gqlerror.Error) {
	if id, ok := extensions[documentIDExtension].(string); ok && id != "" {
		return bareID(id), nil
	}
	if extensions[persistedExtension] == nil {
		return "", nil
	}
	query, _ := extensions[persistedExtension].(map[string]any)
	id, _ := query["sha256Hash"].(string)
	if id == "" || !isOne(query["version"]) {
		return "", apierror.New(feed.CodeBadInput, "extensions.persistedQuery must have version 1 and a sha256Hash")
	}
	return bareID(id), nil
}

func isOne(version any) bool {
	return version == json.Number("1") || version == 1.0
}

func bareID(id string) string { return strings.TrimPrefix(id, "sha256:") }

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func isHash(id string) bool {
	return len(id) == 2*sha256.Size && strings.Trim(id, "0123456789abcdef") == ""
}

// One client may store textQuota bytes within textWindow. Each text costs textOverhead more than
// its length. Clients share documentsMax texts in a process, and 32 MiB a day in Redis.
//
//   - The overhead limits a quota to 127 texts, an eighth of documentsMax, even if they are tiny.
//   - The documents of an application with a hundred screens, 512 bytes each, fit into one quota.
//   - The window is as long as Redis keeps a text. A client may spend a full quota and its refill
//     within a window, so filling Redis takes at least 64 clients.
const (
	textQuota    = 256 << 10
	textOverhead = 2 << 10
	textWindow   = 24 * time.Hour
)

// texts stores texts in the process and, if there is one, in the shared store.
type texts struct {
	near *lru.LRU[string]
	far  Texts
	// rate limits what each client stores, by the budgets of meter.
	rate  *Rate
	meter *meter
	log   *slog.Logger
}

func newTexts(o Options, m *meter) texts {
	return texts{
		near: lru.New[string](documentsMax), far: o.Texts, log: o.Log, meter: m,
		rate: &Rate{Name: "texts", Quota: textQuota, Window: textWindow, Key: o.Holder},
	}
}

// get checks the hash of a text from the shared store. If the store fails, the text counts as
// unknown, and the client sends it.
func (t texts) get(ctx context.Context, id string) (string, bool) {
	if text, ok := t.near.Get(ctx, id); ok {
		return text, true
	}
	if t.far == nil || !isHash(id) {
		return "", false
	}
	text, err := t.far.Text(ctx, id)
	if err != nil {
		t.log.DebugContext(ctx, "cannot read document text", "error", err)
		return "", false
	}
	if text == "" || len(text) > documentMax || hash(text) != id {
		return "", false
	}
	t.near.Add(ctx, id, text)
	return text, true
}

// add stores a valid text, unless it is too long or the client has spent its quota. The operation
// runs anyway: a client handles an unknown hash, but not a refusal.
func (t texts) add(ctx context.Context, id, text string) {
	if _, known := t.near.Get(ctx, id); known || len(text) > documentMax {
		return
	}
	if !t.affords(ctx, text) {
		t.log.DebugContext(ctx, "document text not stored: client quota spent")
		return
	}
	t.near.Add(ctx, id, text)
	if t.far == nil {
		return
	}
	if err := t.far.KeepText(ctx, id, text); err != nil {
		t.log.DebugContext(ctx, "cannot store document text", "error", err)
	}
}

func (t texts) affords(ctx context.Context, text string) bool {
	key := t.rate.Key(ctx)
	if key == "" {
		return true
	}
	_, wait := t.meter.spend(ctx, t.rate, key, textOverhead+len(text))
	return wait == 0
}
