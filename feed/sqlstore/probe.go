package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/tideline-feeds/tideline/feed"
)

// probeBytes is how much [Store.CheckWrites] writes: more than files are likely to have room for
// already, and little enough to take milliseconds.
const probeBytes = 1 << 20

// CheckWrites writes a megabyte, removes it, and returns an error of code [feed.CodeUnavailable] if
// the database does not take it. An error of another code says that the check itself failed.
func (s *Store) CheckWrites(ctx context.Context) error {
	if s.config != nil {
		// A temporary table needs no room in the WAL; filling that up would crash the server.
		return s.rolledBack(ctx, "CREATE TEMPORARY TABLE tideline_probe (filler TEXT)",
			"INSERT INTO tideline_probe SELECT repeat(md5(i::text), 32) FROM generate_series(1, $1) AS i", probeBytes/1024)
	}
	// SQLite writes to the disk only on commit, so the disk is checked separately.
	if err := probeFolder(filepath.Dir(s.file)); err != nil {
		return err
	}
	return s.rolledBack(ctx, "CREATE TABLE tideline_probe (filler BLOB)", "INSERT INTO tideline_probe VALUES (zeroblob($1))", probeBytes)
}

// rolledBack runs two statements in a transaction, the second with an argument, and rolls it back.
func (s *Store) rolledBack(ctx context.Context, first, second string, arg any) error {
	undo := errors.New("undo")
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		return inOrder(
			func() error { return exec(ctx, tx, first) },
			func() error { return exec(ctx, tx, second, arg) },
			func() error { return undo },
		)
	})
	if errors.Is(err, undo) {
		return nil
	}
	return err
}

// probeFolder writes a file into a folder and removes it.
func probeFolder(dir string) error {
	file, err := os.CreateTemp(dir, "tideline-probe-*")
	if err == nil {
		_, err = file.Write(make([]byte, probeBytes))
		err = errors.Join(err, file.Sync(), file.Close(), os.Remove(file.Name()))
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return feed.CannotServe(theDatabase, noRoom, err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return feed.CannotServe(theDatabase, noWrites, err)
	case err != nil:
		return feed.CannotServe(theDatabase, noFiles, err)
	}
	return nil
}
