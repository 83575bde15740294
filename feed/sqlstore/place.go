package sqlstore

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Place describes the database of a URL for [Open] to people: the SQLite file, or the hosts and the
// name of the PostgreSQL database, including those from the environment of libpq. It contains no
// user and no password. For an invalid URL it returns "".
func Place(databaseURL string) string {
	if path, ok := strings.CutPrefix(databaseURL, "sqlite://"); ok {
		return "SQLite file " + path
	}
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return ""
	}
	// pgx lists a host twice, to try it with TLS and without.
	hosts := []string{hostPort(config.Host, config.Port)}
	for _, f := range config.Fallbacks {
		hosts = append(hosts, hostPort(f.Host, f.Port))
	}
	slices.Sort(hosts)
	return "PostgreSQL at " + strings.Join(slices.Compact(hosts), ", ") + ", database " + config.Database
}

// hostPort joins host and port. A directory of sockets has no port.
func hostPort(host string, port uint16) string {
	if strings.HasPrefix(host, "/") {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}
