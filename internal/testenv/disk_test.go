package testenv_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// While its disk is full, Redis with an append-only file stays up and refuses writes. It accepts
// writes again after FreeDisk. This also holds on machines without mounts.
func TestRedis_FullDiskRefusesWritesUntilFreed(t *testing.T) {
	for _, allowed := range []bool{true, false} {
		if !allowed {
			forbidMounts(t)
		}
		server := testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "everysec", Disk: 16})
		t.Logf("the disk is a %s", server.DiskKind())
		c := client(t, server.URL())
		set := func() error { return c.Set(t.Context(), "key", strings.Repeat("v", 10_000), 0).Err() }
		if err := set(); err != nil {
			t.Fatal(err)
		}
		server.FillDisk()
		eventually.True(t, "Redis refuses writes", func() bool { return set() != nil })
		if err := set(); err == nil || !strings.HasPrefix(err.Error(), "MISCONF") {
			t.Errorf("a write on a full disk ends with %v", err)
		}
		server.FreeDisk()
		eventually.True(t, "Redis takes writes", func() bool { return set() == nil })
		if !server.Running() {
			t.Error("the server has ended")
		}
	}
}

// PostgreSQL refuses writes while its disk is full, and keeps all acknowledged writes.
func TestPostgres_FullDiskRefusesWritesUntilFreed(t *testing.T) {
	for _, allowed := range []bool{true, false} {
		if !allowed {
			forbidMounts(t)
		}
		server := testenv.StartPostgresOnDisk(t, 200)
		rows := 0
		execute := func(statement string) error {
			ctx, cancel := context.WithTimeout(t.Context(), eventually.Limit)
			defer cancel()
			conn, err := pgx.Connect(ctx, server.URL())
			if err != nil {
				return err
			}
			defer func() { _ = conn.Close(ctx) }()
			if _, err = conn.Exec(ctx, statement); err != nil {
				return err
			}
			return conn.QueryRow(ctx, "SELECT count(*) FROM filled").Scan(&rows)
		}
		const insert = "INSERT INTO filled SELECT repeat(md5(n::text), 100) FROM generate_series(1, 1000) n"
		if err := execute("CREATE TABLE filled (text text)"); err != nil {
			t.Fatal(err)
		}
		server.FillDisk()
		eventually.True(t, "PostgreSQL refuses writes", func() bool { return execute(insert) != nil })
		acknowledged := rows
		ended := server.FreeDisk()
		t.Logf("the disk is a %s; the server ended for it: %v", server.DiskKind(), ended)
		eventually.True(t, "PostgreSQL takes writes", func() bool { return execute(insert) == nil })
		if rows != acknowledged+1000 {
			t.Errorf("there are %d rows, and %d were acknowledged before", rows, acknowledged)
		}
	}
}

// forbidMounts hides the mount command from the package, as on a machine that allows no mounts.
func forbidMounts(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/mount", []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}
