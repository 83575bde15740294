package app

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/resolvers"
)

// limitSettings limit what clients can request.
type limitSettings struct {
	RateLimit        int    `env:"TIDELINE_RATE_LIMIT" default:"300000" placeholder:"N" help:"Objects that one user can load per minute, at least 10000; 0 for no limit (${default})."`
	AddressRateLimit int    `env:"TIDELINE_ADDRESS_RATE_LIMIT" default:"1500000" placeholder:"N" help:"The same per address, or per /64 of IPv6. Indistinguishable clients share it, such as those of this machine (${default})."`
	ServiceRateLimit int    `env:"TIDELINE_SERVICE_RATE_LIMIT" default:"1500000" placeholder:"N" help:"The same per service, instead of the limits of the users that it acts for and of its address (${default})."`
	TrustedProxies   string `env:"TIDELINE_TRUSTED_PROXIES" placeholder:"LIST" help:"Comma-separated addresses and networks of proxies whose X-Forwarded-For or Forwarded is trusted."`
	OperationsMax    int    `env:"TIDELINE_OPERATIONS_MAX" default:"256" placeholder:"N" help:"Concurrent queries, mutations and subscription events per process. Further requests get 503, or 429 if their user, service or address has a quarter of the slots; 0 for no limit (${default})."`
	UnsentMax        int    `env:"TIDELINE_UNSENT_MAX" default:"64" placeholder:"MIB" help:"MiB of responses that clients have not received yet, and of what idle operations keep, per process; one user, service or address can have a quarter. Beyond it, the slowest clients are disconnected (${default})."`

	TrustedDocuments string `env:"TIDELINE_TRUSTED_DOCUMENTS" placeholder:"FILE" help:"Manifest of documents that clients name by id: a JSON object from ids to texts, or an Apollo persisted query manifest."`
	TrustedOnly      bool   `env:"TIDELINE_TRUSTED_ONLY" help:"Refuse documents that are not in --trusted-documents."`

	FederationSettings
}

// rateWindow is the time in which a budget refills.
const rateWindow = time.Minute

// rateMost is the largest budget with exact accounting: a unit in six microseconds.
const rateMost = 10_000_000

// Bounds of --unsent-max in MiB. A quarter of the least holds one response of maximum size, in a
// buffer that may be half as large again. The greatest catches values in bytes.
const (
	unsentLeast = 32
	unsentMost  = 16 << 10
)

func (s limitSettings) Check() error {
	// A smaller budget would not suffice for one operation of maximum cost.
	least := guard.DefaultLimits().Cost
	for flag, n := range map[string]int{"--rate-limit": s.RateLimit, "--address-rate-limit": s.AddressRateLimit, "--service-rate-limit": s.ServiceRateLimit} {
		if n != 0 && (n < least || n > rateMost) {
			return BadSetting("%s must be 0, or from %d to %d, not %d", flag, least, rateMost, n)
		}
	}
	if err := cmp.Or(InRange("--operations-max", s.OperationsMax, 0, 100_000), InRange("--unsent-max", s.UnsentMax, unsentLeast, unsentMost)); err != nil {
		return err
	}
	if _, err := gateway.ParseProxies(s.TrustedProxies); err != nil {
		return BadSetting("--trusted-proxies: %v; list addresses such as 192.0.2.7 or 10.0.0.0/8, separated by commas", err)
	}
	if s.TrustedOnly && s.TrustedDocuments == "" {
		return BadSetting("--trusted-only needs --trusted-documents")
	}
	if s.TrustedOnly && s.Federation {
		return BadSetting("--federation and --trusted-only exclude each other: a router sends documents of its own")
	}
	return s.FederationSettings.Check()
}

// Processes that share a Redis share budgets and stored documents.
func (s limitSettings) guard(st *stores, log *slog.Logger) (guard.Options, error) {
	o := guard.Options{
		TrustedOnly: s.TrustedOnly, Rates: s.rates(), OperationsMax: s.OperationsMax,
		Holder: holderKey,
	}
	o.Budgets = guard.NewMemoryBudgets(time.Now)
	if st.embeddedURL == "" {
		o.Budgets, o.Texts = guard.NewLocalBudgets(redisstore.NewBudgets(st.redis), time.Now, log), redisstore.NewTexts(st.redis)
	}
	if s.TrustedDocuments == "" {
		return o, nil
	}
	var err error
	o.Trusted, err = readManifest(s.TrustedDocuments)
	return o, err
}

func readManifest(name string) (guard.Manifest, error) {
	f, err := os.Open(name)
	if err != nil {
		return guard.Manifest{}, BadSetting("--trusted-documents: %v", err)
	}
	defer func() { _ = f.Close() }()
	m, err := guard.ReadManifest(f, graph.LoadSchema(), guard.DefaultLimits())
	if err != nil {
		return m, BadSetting("--trusted-documents %s: %v", name, err)
	}
	return m, nil
}

func (s limitSettings) rates() []guard.Rate {
	var rates []guard.Rate
	if s.RateLimit > 0 {
		rates = append(rates, guard.Rate{Name: "viewer", Quota: s.RateLimit, Window: rateWindow, Key: viewerKey})
	}
	if s.AddressRateLimit > 0 {
		rates = append(rates, guard.Rate{Name: "address", Quota: s.AddressRateLimit, Window: rateWindow, Key: addressKey})
	}
	if s.ServiceRateLimit > 0 {
		rates = append(rates, s.serviceRate(resolvers.ServiceFrom))
	}
	return rates
}

func (s limitSettings) serviceRate(key func(context.Context) string) guard.Rate {
	return guard.Rate{Name: "service", Quota: s.ServiceRateLimit, Window: rateWindow, Key: key}
}

// viewerKey is the budget of the viewer; empty for the anonymous viewer and for services.
func viewerKey(ctx context.Context) string {
	if viewer := resolvers.ViewerFrom(ctx); viewer != 0 && resolvers.ServiceFrom(ctx) == "" {
		return viewer.String()
	}
	return ""
}

// addressKey is the budget of the address; empty for services.
func addressKey(ctx context.Context) string {
	if resolvers.ServiceFrom(ctx) != "" {
		return ""
	}
	return resolvers.AddressFrom(ctx)
}

// holderKey is the holder of what clients share: the service, the user, or else the address. Addresses
// contain a dot or two colons, or are words, so they equal no other holder.
func holderKey(ctx context.Context) string {
	if service := resolvers.ServiceFrom(ctx); service != "" {
		return "service:" + service
	}
	if viewer := resolvers.ViewerFrom(ctx); viewer != 0 {
		return "user:" + viewer.String()
	}
	return resolvers.AddressFrom(ctx)
}

func (s limitSettings) proxies() gateway.Proxies {
	trusted, _ := gateway.ParseProxies(s.TrustedProxies) // the check has read the list
	return trusted
}

// identityKey is the identity of a request: the viewer, and the service that acts for them.
func identityKey(ctx context.Context) string {
	return resolvers.ServiceFrom(ctx) + "/" + resolvers.ViewerFrom(ctx).String()
}

// connectionKey is the holder of a stream or socket. Indistinguishable clients share only the limit of
// the process; otherwise one of them could lock out the others.
func connectionKey(ctx context.Context) string {
	if resolvers.SharedFrom(ctx) && resolvers.ServiceFrom(ctx) == "" && resolvers.ViewerFrom(ctx) == 0 {
		return ""
	}
	return holderKey(ctx)
}

// withOrigin passes address and request id on to the resolvers, and reports doubts about proxies.
func withOrigin(watch *proxyWatch, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		client := gateway.ClientFrom(ctx)
		if client.Doubt != "" {
			watch.doubted(ctx, client.Doubt, client.Peer)
		}
		next.ServeHTTP(w, r.WithContext(resolvers.WithOrigin(ctx, resolvers.Origin{
			Address: client.Address, Shared: client.Shared, RequestID: gateway.RequestIDFrom(ctx),
		})))
	})
}
