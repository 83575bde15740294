package sqlstore

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Place returns where the database of a URL for [Open] is, for people to read: the file of
// a SQLite database, or the hosts and the name of a PostgreSQL database, those included that
// come from the environment of libpq. It holds no user and no password. It returns "" for a
// URL that cannot be read.
func Place(databaseURL string) string {
	if path, ok := strings.CutPrefix(databaseURL, "sqlite://"); ok {
		return "SQLite file " + path
	}
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return ""
	}
	// A host is listed twice if it is to be tried with TLS and without.
	hosts := []string{hostPort(config.Host, config.Port)}
	for _, f := range config.Fallbacks {
		hosts = append(hosts, hostPort(f.Host, f.Port))
	}
	slices.Sort(hosts)
	return "PostgreSQL at " + strings.Join(slices.Compact(hosts), ", ") + ", database " + config.Database
}

// hostPort joins them; a directory is that of a socket, whose port is part of a file's name.
func hostPort(host string, port uint16) string {
	if strings.HasPrefix(host, "/") {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}
