package e2e

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestSettings_UnreachableRedisIsNamedByFlag(t *testing.T) {
	const unreachable = "redis://127.0.0.1:1"
	redis := testenv.Redis(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--redis-url=" + unreachable}, "tideline: --redis-url: "},
		{[]string{"--redis-url=" + redis, "--queue-redis-url=" + unreachable}, "tideline: --queue-redis-url: "},
		{[]string{"--inbox=sql", "--queue-redis-url=" + unreachable}, "tideline: --queue-redis-url: "},
	} {
		code, _, stderr := harness.RunMain(t, append(c.args, "--addr=127.0.0.1:0", "--demo=false", "--data-dir="+t.TempDir())...)
		if code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %s", c.args, code, stderr)
		}
	}
}

func TestSettings_PostgresOutOfRangeIsRefused(t *testing.T) {
	for _, args := range [][2]string{
		{"--database-connections=0", "--database-connections must be from 2 to 1000, not 0"},
		{"--database-lock-timeout=0s", "--database-lock-timeout must be from 10ms to 24h0m0s, not 0s"},
		{"--database-silence=25h", "--database-silence must be from 10ms to 24h0m0s, not 25h0m0s"},
	} {
		if code, _, stderr := harness.RunMain(t, "serve", "--data-dir="+t.TempDir(), args[0]); code != 2 || stderr != "tideline: "+args[1]+"\n" {
			t.Errorf("%s: exit code %d, %q", args[0], code, stderr)
		}
	}
}

func TestSettings_CacheOutOfRangeStopsTheStart(t *testing.T) {
	t.Setenv("TIDELINE_DATA_DIR", t.TempDir())
	for arg, want := range map[string]string{
		"--cache-mb=-1":     "--cache-mb must be from 0 to 65536, not -1",
		"--cache-mb=100000": "--cache-mb must be from 0 to 65536, not 100000",
		"--cache-ttl=-1s":   "--cache-ttl must be from 0s to 1h0m0s, not -1s",
		"--cache-ttl=2h":    "--cache-ttl must be from 0s to 1h0m0s, not 2h0m0s",
	} {
		if code, _, stderr := harness.RunMain(t, arg); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("tideline %s: exit code %d, %s", arg, code, stderr)
		}
	}
}
