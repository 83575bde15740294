// Package bus reads message buses. It has one file per bus, each an [ingest.Bus].
package bus

import (
	"crypto/tls"
	"crypto/x509"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// Open returns the bus of a URL, and a name for its source: that of the stream or topic. The bus
// connects when it is read. Errors show no password.
func Open(from string) (bus ingest.Bus, source string, err error) {
	scheme, _, _ := strings.Cut(from, "://")
	switch scheme {
	case "redis", "rediss", "redis-sentinel", "redis-cluster":
		return openRedis(from)
	case "nats", "tls":
		return openNATS(from)
	case "kafka", "kafkas":
		return openKafka(from)
	}
	return nil, "", invalid("the URL of a bus begins with redis://, rediss://, redis-sentinel://, redis-cluster://, nats://, tls://, kafka:// or kafkas://")
}

func invalid(format string, args ...any) error {
	return feed.Errorf(feed.CodeInvalid, format, args...)
}

// cutName takes the last part of a URL's path, percent-decoded, off the URL.
func cutName(from, what string) (rest, name string, err error) {
	from, query, found := strings.Cut(from, "?")
	_, authority, _ := strings.Cut(from, "://")
	at := strings.LastIndexByte(authority, '/')
	if at >= 0 {
		name, err = url.PathUnescape(authority[at+1:])
	}
	if name == "" || err != nil {
		return "", "", invalid("the URL of the bus must end with the name of %s, percent-encoded", what)
	}
	rest = from[:strings.LastIndexByte(from, '/')]
	if found {
		rest += "?" + query
	}
	return rest, name, nil
}

// servers is a URL with a list of hosts: SCHEME://[USER[:PASSWORD]@]HOST,…[?PARAMETERS].
type servers struct {
	scheme string
	user   *url.Userinfo
	hosts  []string
	params url.Values
}

// parse allows the named parameters.
func parse(from string, params ...string) (s servers, err error) {
	s.scheme, from, _ = strings.Cut(from, "://")
	from, query, _ := strings.Cut(from, "?")
	if s.params, err = url.ParseQuery(query); err != nil {
		return s, invalid("the parameters of the bus's URL cannot be read")
	}
	for name := range s.params {
		if !slices.Contains(params, name) {
			return s, invalid("the URL of the bus has a parameter other than %s", strings.Join(params, ", "))
		}
	}
	hosts := from
	if at := strings.LastIndexByte(from, '@'); at >= 0 {
		hosts = from[at+1:]
		name, password, pair := strings.Cut(from[:at], ":")
		name, err = url.PathUnescape(name)
		if err == nil {
			password, err = url.PathUnescape(password)
		}
		if pair {
			s.user = url.UserPassword(name, password)
		} else {
			s.user = url.User(name)
		}
	}
	s.hosts = strings.Split(hosts, ",")
	if err != nil || slices.Contains(s.hosts, "") || strings.ContainsAny(hosts, "/@") {
		return s, invalid("the URL of the bus has no valid hosts; it is SCHEME://[USER:PASSWORD@]HOST[:PORT],…/NAME")
	}
	return s, nil
}

// each returns a URL for each host.
func (s *servers) each() []string {
	list := make([]string, len(s.hosts))
	for i, host := range s.hosts {
		list[i] = (&url.URL{Scheme: s.scheme, User: s.user, Host: host}).String()
	}
	return list
}

// tls returns nil without TLS: if it is not wanted and no parameter names a file for it.
func (s *servers) tls(wanted bool) (*tls.Config, error) {
	ca, cert, key := s.params.Get("ca"), s.params.Get("cert"), s.params.Get("key")
	if !wanted && ca == "" && cert == "" && key == "" {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		text, err := os.ReadFile(ca) //nolint:gosec // the operator names the file
		if err != nil {
			return nil, invalid("the parameter ca: %v", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, invalid("the parameter ca names a file without certificates")
		}
	}
	if cert != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, invalid("the parameters cert and key: %v", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
