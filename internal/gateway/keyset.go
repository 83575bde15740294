package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// keysFresh is for how long keys are used without a look whether they are still
	// the provider's. A key that he takes back is refused after twice that at most, as
	// long as he can be reached.
	keysFresh = 5 * time.Minute
	// keysLast is how long they are used while he cannot be reached: about as long as
	// tokens live, so that an outage of his need not be one of this server.
	keysLast = time.Hour
	// fetchFloor is the shortest time between two fetches, whatever tokens name:
	// without it a stream of made-up key ids would be one of requests to the provider.
	fetchFloor = 5 * time.Second
	// fetchWithin bounds one fetch, and so how long a first request waits for it.
	fetchWithin = 5 * time.Second
)

// KeySetOptions says where public keys are, and which tokens they may vouch for. Only
// URL must be set.
type KeySetOptions struct {
	// URL of a JSON Web Key Set: https, or http on this machine.
	URL string
	// Issuer and Audience are what iss must be and what aud must have. Empty means any:
	// right only when the provider's keys sign for nobody else.
	Issuer, Audience string
	// Transport makes the requests; [http.DefaultTransport] when nil.
	Transport http.RoundTripper
	// Leeway is by how much the provider's clock may differ from this server's, as for
	// [NewTokensWithLeeway].
	Leeway time.Duration
	// Now is the clock; [time.Now] when nil.
	Now func() time.Time
	// Log is told of fetches that fail and of keys that are passed over;
	// [slog.Default] when nil.
	Log *slog.Logger
}

// KeySet verifies tokens by the public keys of an identity provider. Keys are fetched
// when first needed, again when a token names one that is not known, which is how keys
// are exchanged, and every few minutes. The algorithms are RS256, RS384, RS512, PS256,
// PS384, PS512, ES256, ES384, ES512 and EdDSA, each with keys of its own type only.
// Keys and links in the header of a token are never looked at. Safe for concurrent use.
type KeySet struct {
	url    string
	client *http.Client
	leeway time.Duration
	now    func() time.Time
	log    *slog.Logger
	parser *jwt.Parser

	mu sync.Mutex
	// keys were fetched at fetched; the last fetch, whatever became of it, began at
	// tried.
	keys           []publicKey
	fetched, tried time.Time
	// failed says that the last fetch that has ended brought nothing.
	failed bool
	// running is closed when the fetch under way ends; nil when there is none.
	running chan struct{}

	// held are tokens that hold by the keys of one fetch.
	held remembered
}

// NewKeySet returns the key set behind a URL, without fetching it. It fails for a URL
// over which somebody on the way could hand out keys of his own.
func NewKeySet(o KeySetOptions) (*KeySet, error) {
	if err := CheckKeySetURL(o.URL); err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	options := parserOptions(o.Now, o.Leeway,
		"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
	)
	if o.Issuer != "" {
		options = append(options, jwt.WithIssuer(o.Issuer))
	}
	if o.Audience != "" {
		options = append(options, jwt.WithAudience(o.Audience))
	}
	return &KeySet{
		url: o.URL, client: keyClient(o.Transport), leeway: o.Leeway, now: o.Now, log: o.Log,
		parser: jwt.NewParser(options...), held: newRemembered(),
	}, nil
}

// CheckKeySetURL refuses what is not an absolute https URL, or an http one on this
// machine.
func CheckKeySetURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.User != nil:
		return errors.New("not an absolute URL without a user")
	case u.Scheme == "https", u.Scheme == "http" && isLoopbackHost(u.Hostname()):
		return nil
	}
	return errors.New("neither https nor http on this machine")
}

// Verify is that of [Verifier].
func (k *KeySet) Verify(ctx context.Context, token string) (Identity, error) {
	if id, ok := k.recall(token); ok {
		return id, nil
	}
	keysOf := k.fetchedAt()
	id, err := parse(k.parser, k.leeway, token, func(t *jwt.Token) (any, error) {
		if err := checkHeader(t); err != nil {
			return nil, err
		}
		name, _ := t.Header["kid"].(string)
		return k.candidates(ctx, name, t.Method.Alg())
	})
	if err != nil {
		return Identity{}, err
	}
	if k.fetchedAt().Equal(keysOf) {
		k.held.remember(token, id, keysOf)
	}
	return id, nil
}

// recall returns whose a token is that was verified before, for as long as the very keys
// it was verified with are fresh. When they are not, or others have been fetched, it is
// verified again: so a key that is taken back ends its tokens as soon as it ever did.
func (k *KeySet) recall(token string) (Identity, bool) {
	now, keysOf := k.now(), k.fetchedAt()
	if now.Sub(keysOf) >= keysFresh {
		return Identity{}, false
	}
	return k.held.recall(token, keysOf, now)
}

// fetchedAt returns when the keys were fetched that are known now.
func (k *KeySet) fetchedAt() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.fetched
}

// candidates returns the keys that a token of the algorithm may be verified with: those
// of its key id, or all when it names none. It waits for a fetch only when what is known
// does not do: not for a provider who did not answer the last time, since one that hangs
// would have every request hang with him.
func (k *KeySet) candidates(ctx context.Context, id, algorithm string) (jwt.VerificationKeySet, error) {
	found, age := k.find(id, algorithm)
	if len(found.Keys) > 0 && age < keysFresh {
		return found, nil
	}
	fetching := k.fetch(ctx)
	if len(found.Keys) > 0 && (age < 2*keysFresh || age < keysLast && k.away()) {
		return found, nil
	}
	if fetching != nil {
		select {
		case <-fetching:
		case <-ctx.Done():
			return found, feed.Unavailable("the keys that tokens are verified with", context.Cause(ctx))
		}
	}
	found, age = k.find(id, algorithm)
	if age >= keysLast {
		return found, feed.Unavailable("the keys that tokens are verified with", errNoKeys)
	}
	return found, nil
}

// away says that the provider could not be reached the last time.
func (k *KeySet) away() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed
}

// errNoKeys is logged where the failure of the fetch itself is logged beside it.
var errNoKeys = errors.New("the identity provider does not answer")

// find returns the fitting keys among those known, and how old these are.
func (k *KeySet) find(id, algorithm string) (jwt.VerificationKeySet, time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var found jwt.VerificationKeySet
	for _, key := range k.keys {
		if (id == "" || id == key.id) && slices.Contains(key.algorithms, algorithm) {
			found.Keys = append(found.Keys, key.key)
		}
	}
	if k.fetched.IsZero() {
		return found, keysLast
	}
	return found, k.now().Sub(k.fetched)
}

// fetch starts a fetch unless one is under way or was begun a moment ago, and returns
// what is closed at its end; nil when there is none. A fetch is for everybody who
// waits, so that it does not end with the request that caused it.
func (k *KeySet) fetch(ctx context.Context) <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.running != nil {
		return k.running
	}
	if now := k.now(); k.tried.IsZero() || now.Sub(k.tried) >= fetchFloor {
		k.tried, k.running = now, make(chan struct{})
		go k.refresh(context.WithoutCancel(ctx), k.running)
		return k.running
	}
	return nil
}

// refresh takes over the provider's keys, and closes done. When it cannot, what is known
// stays.
func (k *KeySet) refresh(ctx context.Context, done chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, fetchWithin)
	defer cancel()
	began := k.now()
	keys, skipped, err := download(ctx, k.client, k.url)
	if err != nil {
		k.log.ErrorContext(ctx, "the keys that tokens are verified with cannot be fetched", "error", err)
	}
	for _, why := range skipped {
		k.log.WarnContext(ctx, "a key of the identity provider is passed over", "error", why)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failed = err != nil; !k.failed {
		k.keys, k.fetched = keys, began
	}
	k.running = nil
	close(done)
}
