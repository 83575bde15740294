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
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// Texts keeps the texts of documents by their hash, the SHA-256 in lower-case
// hexadecimal, for all processes. It may forget any of them at any time. Its
// implementations may be called concurrently.
type Texts interface {
	// Text returns the text with the hash; empty when it is not known.
	Text(ctx context.Context, hash string) (string, error)
	// KeepText keeps a text under its hash.
	KeepText(ctx context.Context, hash, text string) error
}

// The names under which a request's extensions name a document: the documentId that the
// transport passes on, and what automatic persisted queries have.
const (
	documentIDExtension = "documentId"
	persistedExtension  = "persistedQuery"
)

// find sees to it that the request has the text of its document, and returns the hash
// under which the text is to be kept once it is valid, if it is.
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
	return "", apierror.New(feed.CodeBadInput, "the query is not the document that its id names")
}

// text returns the text of the document with an id.
func (g *Guard) text(ctx context.Context, id string) (string, *gqlerror.Error) {
	text, known := g.o.Trusted.text(id)
	if !known && !g.o.TrustedOnly {
		text, known = g.texts.get(ctx, id)
	}
	if !known {
		// Clients of automatic persisted queries go by this very message.
		return "", apierror.New(apierror.UnknownDocument, "PersistedQueryNotFound")
	}
	return text, nil
}

// onlyTrusted refuses a text that is none of the trusted documents'.
func (g *Guard) onlyTrusted(text string) *gqlerror.Error {
	if g.o.Trusted.has(text) {
		return nil
	}
	return apierror.New(feed.CodeForbidden, "this server takes only the documents that it knows, by their id")
}

// documentID returns the id that a request's extensions name its document by, without
// the name of the hash before it; empty when there is none.
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
		return "", apierror.New(feed.CodeBadInput, "extensions.persistedQuery has version 1 and a sha256Hash")
	}
	return bareID(id), nil
}

func isOne(version any) bool {
	return version == json.Number("1") || version == 1.0
}

// bareID returns an id without "sha256:" before it.
func bareID(id string) string { return strings.TrimPrefix(id, "sha256:") }

// hash returns the SHA-256 of a text, in lower-case hexadecimal.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// isHash says whether an id is what [hash] returns for some text.
func isHash(id string) bool {
	return len(id) == 2*sha256.Size && strings.Trim(id, "0123456789abcdef") == ""
}

// textQuota is what one client may store within textWindow, in bytes; each text costs
// textOverhead beyond its own. The numbers follow from what all clients share: documentsMax
// texts in the process, and 32 MiB a day in Redis.
//
//   - The overhead limits a quota to 127 texts, an eighth of documentsMax. Bytes alone would
//     let one client store thousands of tiny texts.
//   - The documents of an application with a hundred screens, of 512 bytes each, fit into one
//     quota. Its clients store each of them once for all.
//   - The window is as long as Redis keeps a text. A client may spend a full quota and what
//     refills within a window, so filling Redis takes at least 64 clients.
const (
	textQuota    = 256 << 10
	textOverhead = 2 << 10
	textWindow   = 24 * time.Hour
)

// texts keeps texts in the process and, when there is a store that others share, there.
type texts struct {
	near *lru.LRU[string]
	far  Texts
	// rate limits what each client stores, and meter counts it.
	rate  *Rate
	meter *meter
	log   *slog.Logger
}

// newTexts returns texts that count what clients store with the budgets of a meter. The
// defaults of o are filled in.
func newTexts(o Options, m *meter) texts {
	return texts{
		near: lru.New[string](documentsMax), far: o.Texts, log: o.Log, meter: m,
		rate: &Rate{Name: "texts", Quota: textQuota, Window: textWindow, Key: o.Client},
	}
}

// get returns the text with a hash. What the shared store says is looked at twice: only
// the very text is good. A store that does not answer knows nothing, and the client sends
// the text.
func (t texts) get(ctx context.Context, id string) (string, bool) {
	if text, ok := t.near.Get(ctx, id); ok {
		return text, true
	}
	if t.far == nil || !isHash(id) {
		return "", false
	}
	text, err := t.far.Text(ctx, id)
	if err != nil {
		t.log.DebugContext(ctx, "the texts of documents cannot be read", "error", err)
		return "", false
	}
	if text == "" || len(text) > documentMax || hash(text) != id {
		return "", false
	}
	t.near.Add(ctx, id, text)
	return text, true
}

// add stores a text that was validated, unless it is too long or the quota of its client is
// spent. The operation runs in any case: a client that is told later that the hash is not
// known sends the text again, while one that is refused could not run it at all.
func (t texts) add(ctx context.Context, id, text string) {
	if _, known := t.near.Get(ctx, id); known || len(text) > documentMax {
		return
	}
	if !t.affords(ctx, text) {
		t.log.DebugContext(ctx, "the text of a document is not stored: the quota of its client is spent")
		return
	}
	t.near.Add(ctx, id, text)
	if t.far == nil {
		return
	}
	if err := t.far.KeepText(ctx, id, text); err != nil {
		t.log.DebugContext(ctx, "the text of a document cannot be kept", "error", err)
	}
}

// affords takes a text out of the quota of the client that sent it, and reports whether
// enough was left.
func (t texts) affords(ctx context.Context, text string) bool {
	key := t.rate.Key(ctx)
	if key == "" {
		return true
	}
	_, wait := t.meter.spend(ctx, t.rate, key, textOverhead+len(text))
	return wait == 0
}
