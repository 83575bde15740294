package redisstore

import (
	"crypto/tls"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

const urlForms = `want one of
  redis://[user:password@]host[:port][/db]
  rediss://[user:password@]host[:port][/db]
  redis-sentinel://[user:password@]host[:port],…/master[?db=n]
  redis-cluster://[user:password@]host[:port],…`

type kind int

const (
	single kind = iota
	sentinel
	cluster
)

type address struct {
	kind           kind
	hosts          []string
	master         string
	db             int
	user, password string
	tls            *tls.Config
}

// Place returns the location of the Redis of a URL for [Open], without user and password: the
// scheme, the hosts, and the database or the name of the master. It returns "" for an invalid URL.
func Place(url string) string {
	a, err := parseURL(url)
	if err != nil {
		return ""
	}
	scheme, _, _ := strings.Cut(url, "://")
	place := scheme + "://" + strings.Join(a.hosts, ",")
	if a.kind == sentinel {
		place += "/" + a.master
	}
	if a.db != 0 {
		place += ", database " + strconv.Itoa(a.db)
	}
	return place
}

// badURL names the invalid part only: after a typing error, any part may contain the password.
func badURL(what string) error {
	return feed.Errorf(feed.CodeInvalid, "the Redis URL is not valid: %s; %s", what, urlForms)
}

// parseURL parses the forms of [Open]. The library's own parser knows two of the four, and net/url
// refuses a list of hosts and prints the password.
func parseURL(raw string) (address, error) {
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return address{}, badURL("it has no scheme")
	}
	rest, query, _ := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(rest, "/")
	params, err := url.ParseQuery(query)
	if err != nil {
		return address{}, badURL("what follows the question mark cannot be read")
	}

	var a address
	hosts, err := a.signIn(authority)
	if err != nil {
		return address{}, err
	}
	switch scheme {
	case "redis":
		err = a.parseSingle(hosts, path, params)
	case "rediss":
		if err = a.parseSingle(hosts, path, params); err == nil {
			host, _, _ := net.SplitHostPort(a.hosts[0])
			a.tls = &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
		}
	case "redis-sentinel":
		err = a.parseSentinel(hosts, path, params)
	case "redis-cluster":
		err = a.parseCluster(hosts, path, params)
	default:
		err = badURL("its scheme is not known")
	}
	if err != nil {
		return address{}, err
	}
	return a, nil
}

func (a *address) parseSingle(hosts, path string, params url.Values) error {
	if len(params) > 0 {
		return badURL("it takes no parameters")
	}
	if strings.Contains(hosts, ",") {
		return badURL("it takes one host")
	}
	a.kind = single
	if err := a.setHosts(hosts, "6379"); err != nil {
		return err
	}
	return a.setDB(path)
}

func (a *address) parseSentinel(hosts, path string, params url.Values) error {
	for name := range params {
		if name != "db" {
			return badURL("its only parameter is db")
		}
	}
	master, err := url.PathUnescape(path)
	if err != nil || master == "" || strings.Contains(master, "/") {
		return badURL("the name of the master must follow the hosts")
	}
	a.kind, a.master = sentinel, master
	if err := a.setHosts(hosts, "26379"); err != nil {
		return err
	}
	return a.setDB(params.Get("db"))
}

func (a *address) parseCluster(hosts, path string, params url.Values) error {
	if path != "" || len(params) > 0 {
		return badURL("nothing may follow the hosts of a Cluster, which has one database")
	}
	a.kind = cluster
	return a.setHosts(hosts, "6379")
}

// signIn takes user and password off the front of the authority.
func (a *address) signIn(authority string) (hosts string, err error) {
	at := strings.LastIndex(authority, "@")
	if at < 0 {
		return authority, nil
	}
	user, password, _ := strings.Cut(authority[:at], ":")
	if a.user, err = url.PathUnescape(user); err == nil {
		a.password, err = url.PathUnescape(password)
	}
	if err != nil {
		return "", badURL("user and password must be percent-encoded")
	}
	return authority[at+1:], nil
}

func (a *address) setHosts(list, defaultPort string) error {
	for entry := range strings.SplitSeq(list, ",") {
		host, port, err := net.SplitHostPort(entry)
		if err != nil {
			host, port, err = net.SplitHostPort(entry + ":" + defaultPort)
		}
		if n, notNumber := strconv.ParseUint(port, 10, 16); err != nil || host == "" || notNumber != nil || n == 0 {
			return badURL("a host must be a name or an address, an IPv6 one in brackets, with a port from 1 to 65535 or none")
		}
		a.hosts = append(a.hosts, net.JoinHostPort(host, port))
	}
	return nil
}

func (a *address) setDB(text string) error {
	if text == "" {
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return badURL("the database must be a whole number from 0")
	}
	a.db = int(n)
	return nil
}
