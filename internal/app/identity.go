package app

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
)

// identitySettings configure which tokens are accepted.
type identitySettings struct {
	TokenSettings
	JWKSURL     string `name:"jwks-url" env:"TIDELINE_JWKS_URL" placeholder:"URL" help:"JSON Web Key Set of an identity provider (RS, PS, ES, EdDSA); https, or http on this machine. Without --jwt-secret, only its tokens are accepted."`
	JWTIssuer   string `name:"jwt-issuer" env:"TIDELINE_JWT_ISSUER" placeholder:"TEXT" help:"Required iss of tokens of the identity provider; any by default."`
	JWTAudience string `name:"jwt-audience" env:"TIDELINE_JWT_AUDIENCE" placeholder:"TEXT" help:"Required aud of tokens of the identity provider. The default, any, is safe only if its keys sign for no other service."`

	ServiceToken string `env:"TIDELINE_SERVICE_TOKEN" placeholder:"TEXT" help:"Bearer token, at least 32 bytes, that lets a service act for any user. Services can also use tokens with \"role\": \"service\"."`

	ClockLeeway time.Duration `env:"TIDELINE_CLOCK_LEEWAY" default:"30s" placeholder:"DURATION" help:"Tolerated difference between the clocks of this server and of the signer of a token. Tokens and their sessions stay valid this much longer than exp (${default})."`
}

// A longer leeway, far above the difference of synchronized clocks, would make exp meaningless.
const longestLeeway = 5 * time.Minute

// Check refuses short secrets and untrusted key sets.
func (s identitySettings) Check() error {
	if err := s.TokenSettings.Check(); err != nil {
		return err
	}
	if err := s.checkServiceToken(); err != nil {
		return err
	}
	if err := InRange("--clock-leeway", s.ClockLeeway, 0, longestLeeway); err != nil {
		return err
	}
	if s.JWKSURL == "" {
		if s.JWTIssuer+s.JWTAudience != "" {
			return BadSetting("--jwt-issuer and --jwt-audience apply to tokens of an identity provider, which needs a --jwks-url")
		}
		return nil
	}
	if err := gateway.CheckKeySetURL(s.JWKSURL); err != nil {
		return BadSetting("--jwks-url must be https://HOST/PATH, or http:// on this machine: it is %v", err)
	}
	return nil
}

func (s identitySettings) checkServiceToken() error {
	if s.ServiceToken != "" && s.ServiceToken == s.JWTSecret {
		return BadSetting("--service-token must differ from --jwt-secret, which signs tokens of administrators too")
	}
	return checkSecret("--service-token", s.ServiceToken)
}

// configured reports whether the operator configured a secret or a key set.
func (s identitySettings) configured() bool { return s.JWTSecret != "" || s.JWKSURL != "" }

func (s identitySettings) adminHint() string {
	if s.JWKSURL != "" && s.JWTSecret == "" {
		return `for tokens with "role": "admin"`
	}
	return "sign in with: tideline token --user 1 --admin"
}

// The generated secret is valid only if nothing is configured; next to a key set it would be an
// unwanted way in.
func (s identitySettings) verifiers(db DatabaseSettings, subjects gateway.Subjects, log *slog.Logger) (v gateway.Verifiers, err error) {
	v.Service = gateway.NewOpaqueToken(s.ServiceToken)
	if s.JWKSURL == "" {
		secret, err := s.Secret(db)
		v.Secret = gateway.NewTokensWithLeeway(secret, s.ClockLeeway, time.Now).WithSubjects(subjects)
		return v, err
	}
	v.Secret = gateway.NewTokensWithLeeway([]byte(s.JWTSecret), s.ClockLeeway, time.Now).WithSubjects(subjects)
	v.Keys, err = gateway.NewKeySet(gateway.KeySetOptions{
		URL: s.JWKSURL, Issuer: s.JWTIssuer, Audience: s.JWTAudience, Leeway: s.ClockLeeway, Subjects: subjects, Log: log,
	})
	return v, err
}

const (
	introspectionAuto = "auto"
	introspectionOn   = "on"
)

// browserSettings control pages of other origins, URLs of other systems, and introspection.
type browserSettings struct {
	CORSOrigins   []string `name:"cors-origins" env:"TIDELINE_CORS_ORIGINS" placeholder:"ORIGIN,…" help:"Other origins whose pages can use the API with cookies, such as https://app.example.org."`
	CallbackURLs  []string `name:"callback-urls" env:"TIDELINE_CALLBACK_URLS" placeholder:"URL,…" help:"URLs of routers to which subscriptions may be sent by the HTTP callback protocol, each with all paths below it, such as https://router.example.org/callback."`
	Introspection string   `env:"TIDELINE_INTROSPECTION" default:"auto" enum:"auto,on,off" help:"Introspection and suggestions for misspelt names: on, off or auto, which allows them if only this machine can reach the API and no proxy passed the request on (${default})."`
}

// Check refuses invalid origins and URLs.
func (s browserSettings) Check() error {
	if _, err := gateway.NewOrigins(s.CORSOrigins); err != nil {
		return BadSetting("--cors-origins: %v", err)
	}
	if _, err := transport.ParseCallbackURLs(s.CallbackURLs); err != nil {
		return BadSetting("--callback-urls: %v", err)
	}
	return nil
}

// introspects reports whether a server that listens on addr allows introspection.
func (s browserSettings) introspects(addr string) bool {
	if s.Introspection == introspectionAuto {
		return gateway.IsLoopbackAddr(addr)
	}
	return s.Introspection == introspectionOn
}

// describe returns a function that reports whether a request can use introspection; nil if all
// can. The server may listen on loopback and still be reachable through a local proxy.
func (s browserSettings) describe() func(context.Context) bool {
	if s.Introspection != introspectionAuto {
		return nil
	}
	return func(ctx context.Context) bool { return gateway.ClientFrom(ctx).Local }
}

// identity authenticates clients and knows the trusted origins.
type identity struct {
	verifiers gateway.Verifiers
	// signOut revokes a token in all processes.
	signOut func(context.Context, gateway.Identity) error
	// who authenticates requests and sockets.
	who     gateway.Authenticator
	origins *gateway.Origins
	// demo enables demo sign-in; nil if there are no demo users.
	demo *gateway.DemoPass
}

func (c *Server) identity(a *services, st *stores, demoData bool, log *slog.Logger) (*identity, error) {
	verifiers, err := c.verifiers(c.DatabaseSettings, st.subjects(), log)
	if err != nil {
		return nil, err
	}
	origins, err := gateway.NewOrigins(c.CORSOrigins)
	if err != nil {
		return nil, err
	}
	who := gateway.Authenticator{Verifier: gateway.Revocable{Revocations: st.revocations, Verifier: verifiers}, Attach: a.attach, Subjects: st.subjects(), Log: log}
	signOut := func(ctx context.Context, id gateway.Identity) error {
		err := st.revocations.Revoke(ctx, id)
		a.accounts.Evictor.Evict(nil, []feed.UserID{id.User})
		return err
	}
	id := &identity{verifiers: verifiers, signOut: signOut, who: who, origins: origins}
	if demoData && (c.JWTSecret != "" || c.JWKSURL == "") {
		id.demo = gateway.NewDemoPass(verifiers.Secret, nil)
	}
	return id, nil
}

func (id *identity) identify(next http.Handler) http.Handler { return gateway.Identify(id.who, next) }

// protect authenticates requests, and lets only pages of trusted origins use next.
func (id *identity) protect(next http.Handler) http.Handler {
	return gateway.CORS(id.origins, gateway.GuardCookies(id.origins.Trust(), id.identify(next)))
}
