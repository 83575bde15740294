//go:build nightly

package testenv_test

import (
	"os"
	"strings"
	"testing"

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
		check(t, set())
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

// forbidMounts hides the mount command from the package, as on a machine that allows no mounts.
func forbidMounts(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	check(t, os.WriteFile(dir+"/mount", []byte("#!/bin/sh\nexit 1\n"), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}
