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
	// keysFreshFor is how long keys are used without a refresh. While the provider is reachable, a
	// withdrawn key is accepted for at most twice as long.
	keysFreshFor = 5 * time.Minute
	// keysMaxAge is how long keys are used while the provider is unreachable: about the lifetime of
	// tokens, so that its outages do not become ours.
	keysMaxAge = time.Hour
	// minFetchInterval protects the provider from tokens with invented key ids.
	minFetchInterval = 5 * time.Second
	// fetchTimeout also bounds how long a request waits for a fetch.
	fetchTimeout = 5 * time.Second
)

// KeySetOptions configure a [KeySet]. Only URL must be set.
type KeySetOptions struct {
	// URL of a JSON Web Key Set: https, or http on this machine.
	URL string
	// Issuer and Audience are the required iss and aud. Empty accepts any, which is safe only if
	// the provider's keys sign for no other service.
	Issuer, Audience string
	// Transport sends the requests; [http.DefaultTransport] when nil.
	Transport http.RoundTripper
	// Leeway is that of [NewTokensWithLeeway].
	Leeway time.Duration
	// Subjects reads the subjects of tokens; nil for decimal ids.
	Subjects Subjects
	// Now is the clock; [time.Now] when nil.
	Now func() time.Time
	// Log receives failed fetches and ignored keys; [slog.Default] when nil.
	Log *slog.Logger
}

// KeySet verifies tokens with the public keys of an identity provider. It fetches the keys when
// they are first needed, when a token names an unknown key, and every few minutes. It ignores keys
// and links in the headers of tokens. It is safe for concurrent use.
type KeySet struct {
	url    string
	client *http.Client
	leeway time.Duration
	now    func() time.Time
	log    *slog.Logger
	parser *jwt.Parser
	// subjects can be nil.
	subjects Subjects

	mu sync.Mutex
	// keys are those of the last successful fetch, which began at fetched. The last fetch of any
	// outcome began at attempted.
	keys               []publicKey
	fetched, attempted time.Time
	// failed reports whether the last finished fetch failed.
	failed bool
	// fetching is closed when the current fetch ends; nil if there is none.
	fetching chan struct{}

	// cache holds tokens that the keys of one fetch verified.
	cache tokenCache
}

// NewKeySet returns the key set at a URL that passes [CheckKeySetURL], without fetching it.
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
		subjects: o.Subjects,
		url:      o.URL, client: keyClient(o.Transport), leeway: o.Leeway, now: o.Now, log: o.Log,
		parser: jwt.NewParser(options...), cache: newTokenCache(),
	}, nil
}

// CheckKeySetURL returns an error unless text is an https URL, or an http URL on this machine.
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

// Verify implements [Verifier].
func (k *KeySet) Verify(ctx context.Context, token string) (Identity, error) {
	if id, ok := k.cached(token); ok {
		return id, nil
	}
	fetched := k.fetchedAt()
	id, err := parse(ctx, k.parser, k.leeway, k.subjects, token, func(t *jwt.Token) (any, error) {
		if err := checkHeader(t); err != nil {
			return nil, err
		}
		name, _ := t.Header["kid"].(string)
		return k.candidates(ctx, name, t.Method.Alg())
	})
	if err != nil {
		return Identity{}, err
	}
	if k.fetchedAt().Equal(fetched) {
		k.cache.put(token, id, fetched)
	}
	return id, nil
}

// After a refresh every token is verified again, so that withdrawing a key invalidates its tokens.
func (k *KeySet) cached(token string) (Identity, bool) {
	now, fetched := k.now(), k.fetchedAt()
	if now.Sub(fetched) >= keysFreshFor {
		return Identity{}, false
	}
	return k.cache.get(token, fetched, now)
}

func (k *KeySet) fetchedAt() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.fetched
}

// candidates returns the keys of an algorithm with the key id, or all without one. It waits for a
// fetch only if the known keys do not suffice. It does not wait for a provider that failed last
// time, which could delay every request.
func (k *KeySet) candidates(ctx context.Context, id, algorithm string) (jwt.VerificationKeySet, error) {
	found, age := k.find(id, algorithm)
	if len(found.Keys) > 0 && age < keysFreshFor {
		return found, nil
	}
	fetching := k.fetch(ctx)
	if len(found.Keys) > 0 && (age < 2*keysFreshFor || age < keysMaxAge && k.unreachable()) {
		return found, nil
	}
	if fetching != nil {
		select {
		case <-fetching:
		case <-ctx.Done():
			return found, feed.Unavailable("the keys of the identity provider", context.Cause(ctx))
		}
	}
	found, age = k.find(id, algorithm)
	if age >= keysMaxAge {
		return found, feed.Unavailable("the keys of the identity provider", errNoKeys)
	}
	return found, nil
}

func (k *KeySet) unreachable() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed
}

// errNoKeys needs no details, because the failed fetch is logged as well.
var errNoKeys = errors.New("the identity provider does not respond")

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
		return found, keysMaxAge
	}
	return found, k.now().Sub(k.fetched)
}

// fetch starts a fetch unless one is running or began a moment ago, and returns a channel that is
// closed at its end; nil if there is none. The fetch outlives the request, as others wait for it
// too.
func (k *KeySet) fetch(ctx context.Context) <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fetching != nil {
		return k.fetching
	}
	if now := k.now(); k.attempted.IsZero() || now.Sub(k.attempted) >= minFetchInterval {
		k.attempted, k.fetching = now, make(chan struct{})
		go k.refresh(context.WithoutCancel(ctx), k.fetching)
		return k.fetching
	}
	return nil
}

// refresh fetches the keys and closes done. If that fails, the known keys stay.
func (k *KeySet) refresh(ctx context.Context, done chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	began := k.now()
	keys, skipped, err := download(ctx, k.client, k.url)
	if err != nil {
		k.log.ErrorContext(ctx, "cannot fetch the keys of the identity provider", "error", err)
	}
	for _, why := range skipped {
		k.log.WarnContext(ctx, "ignored a key of the identity provider", "error", why)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failed = err != nil; !k.failed {
		k.keys, k.fetched = keys, began
	}
	k.fetching = nil
	close(done)
}
