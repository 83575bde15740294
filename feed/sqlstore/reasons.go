package sqlstore

import (
	"cmp"
	"errors"
	"sync/atomic"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tideline-feeds/tideline/feed"
)

// Reasons why a reachable database does not serve, as errors print them after "the database". Only
// the first three are faults of the storage.
const (
	noRoom   = "has no room left"
	noFiles  = "cannot read or write its files"
	noWrites = "takes no writes at the moment"
	noMemory = "has no memory left"
	noConns  = "has no connection left"
	tooBusy  = "is too busy: other requests change the same"
	tooSlow  = "took too long"
)

// reasonOf returns why a reachable database does not serve, and "" for any other error.
func reasonOf(err error) string {
	if errors.Is(err, errTakesNoWrites) {
		return noWrites
	}
	return cmp.Or(postgresReason(postgresCode(err)), sqliteReason(sqliteCode(err)))
}

func postgresReason(code string) string {
	switch code {
	case "53100":
		return noRoom
	case readOnly:
		return noWrites
	case "53200":
		return noMemory
	case "53300", "53400":
		return noConns
	case lockNotAvailable:
		return tooBusy
	case "57014":
		return tooSlow
	}
	switch class(code) {
	case "58":
		return noFiles
	case "40":
		return tooBusy
	}
	return ""
}

func class(code string) string { return code[:min(2, len(code))] }

func sqliteReason(code int) string {
	switch code & 0xff {
	case sqlite3.SQLITE_FULL:
		return noRoom
	case sqlite3.SQLITE_READONLY:
		return noWrites
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		return noFiles
	case sqlite3.SQLITE_NOMEM:
		return noMemory
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return tooBusy
	}
	return ""
}

// refusedFor is how long [Store.Refused] reports a write that the storage refused. A successful
// write does not end it: with little room left, small writes still succeed.
const refusedFor = time.Minute

type refusal struct{ last atomic.Pointer[refusedWrite] }

type refusedWrite struct {
	at  time.Time
	err *feed.Error
}

// note keeps a write's error if the storage is at fault.
func (r *refusal) note(err error) {
	switch reasonOf(err) {
	case noRoom, noFiles, noWrites:
		if known, ok := errors.AsType[*feed.Error](err); ok {
			r.last.Store(&refusedWrite{time.Now(), known})
		}
	}
}

// Refused returns the error of the last write that failed because of the storage, with code
// [feed.CodeUnavailable], if that was less than a minute ago. Otherwise it returns nil. Such a
// database has no room, cannot use its files or takes no writes. Refused runs no statement.
func (s *Store) Refused() error {
	last := s.refusal.last.Load()
	if last == nil || time.Since(last.at) > refusedFor {
		return nil
	}
	return last.err
}
