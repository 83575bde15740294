package app

import (
	"math"
	"runtime/debug"
	"testing"
	"testing/fstest"
)

func TestTuneMemory_EnvironmentTakesPrecedence(t *testing.T) {
	container := fstest.MapFS{"sys/fs/cgroup/memory.max": {Data: []byte("1000000000\n")}}
	boundless := fstest.MapFS{"sys/fs/cgroup/memory.max": {Data: []byte("max\n")}}
	for name, c := range map[string]struct {
		root        fstest.MapFS
		env         map[string]string
		wantPercent int
		wantLimit   int64
	}{
		"a machine":                   {fstest.MapFS{}, nil, garbagePercent, math.MaxInt64},
		"a container":                 {container, nil, garbagePercent, 750_000_000},
		"a container without a bound": {boundless, nil, garbagePercent, math.MaxInt64},
		"GOGC and GOMEMLIMIT are set": {container, map[string]string{"GOGC": "50", "GOMEMLIMIT": "1GiB"}, 100, math.MaxInt64},
		"GOMEMLIMIT alone is set":     {container, map[string]string{"GOMEMLIMIT": "off"}, garbagePercent, math.MaxInt64},
	} {
		percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
		tuneMemory(c.root, func(name string) string { return c.env[name] })()
		gotPercent, gotLimit := debug.SetGCPercent(percent), debug.SetMemoryLimit(limit)
		if gotPercent != c.wantPercent || gotLimit != c.wantLimit {
			t.Errorf("%s: %d %%, at most %d bytes; want %d and %d", name, gotPercent, gotLimit, c.wantPercent, c.wantLimit)
		}
	}
}
