package sqlitetest

import (
	"context"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// inboxTables are the tables of [sqlstore.Inboxes].
var inboxTables = []string{"inbox", "inbox_headers"}

// Server simulates a server that has the inboxes of a database and can lose data. It implements
// [feed.Pulses] as the pulse of one server. Use it from one goroutine only.
type Server struct {
	database *Database
	// number and run are the pulse, and saved is the number at the last Save.
	number, saved int64
	run           int
}

var _ feed.Pulses = (*Server)(nil)

// Server returns the server of the inboxes.
func (d *Database) Server() *Server { return &Server{database: d} }

// Save copies all data of the server.
func (s *Server) Save() {
	s.copy("main", "temp")
	s.saved = s.number
}

// Restore restarts the server with the last copy, or without data.
func (s *Server) Restore() {
	s.copy("temp", "main")
	s.restart(s.saved)
}

// Wipe restarts the server without data.
func (s *Server) Wipe() {
	s.copy("migrated", "main")
	s.restart(0)
}

func (s *Server) restart(number int64) {
	s.number = number
	s.run++
}

// copy replaces the inboxes in one schema of the database by those in another.
func (s *Server) copy(from, to string) {
	var statements []string
	for _, table := range inboxTables {
		statements = append(statements, "DELETE FROM "+to+"."+table, "INSERT INTO "+to+"."+table+" SELECT * FROM "+from+"."+table)
	}
	s.database.exec(strings.Join(statements, "; "))
}

// Read implements [feed.Pulses].
func (s *Server) Read(ctx context.Context) ([]feed.Pulse, error) {
	return []feed.Pulse{{Server: "sqlite", Number: s.number, Run: strconv.Itoa(s.run)}}, ctx.Err()
}

// Raise implements [feed.Pulses].
func (s *Server) Raise(ctx context.Context, was feed.Pulse, next int64) (bool, error) {
	if err := ctx.Err(); err != nil || s.number != was.Number {
		return false, err
	}
	s.number = next
	return true, nil
}
