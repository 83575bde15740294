package app

import (
	"math"
	"runtime/debug"
	"testing"
	"testing/fstest"
)

// What the environment says of memory counts, then what the container may take, and then
// what is right for a server.
func TestMemoryIsTunedUnlessTheEnvironmentSaysHow(t *testing.T) {
	container := fstest.MapFS{"sys/fs/cgroup/memory.max": {Data: []byte("1000000000\n")}}
	small := fstest.MapFS{"sys/fs/cgroup/memory.max": {Data: []byte("200000000\n")}}
	boundless := fstest.MapFS{"sys/fs/cgroup/memory.max": {Data: []byte("max\n")}}
	for name, c := range map[string]struct {
		root        fstest.MapFS
		env         map[string]string
		wantPercent int
		wantLimit   int64
		wantBallast bool
	}{
		"a machine":                   {fstest.MapFS{}, nil, garbagePercent, math.MaxInt64, true},
		"a container":                 {container, nil, garbagePercent, 750_000_000, true},
		"a small container":           {small, nil, garbagePercent, 150_000_000, false},
		"a container without a bound": {boundless, nil, garbagePercent, math.MaxInt64, true},
		"GOGC and GOMEMLIMIT are set": {container, map[string]string{"GOGC": "50", "GOMEMLIMIT": "1GiB"}, 100, math.MaxInt64, false},
		"GOMEMLIMIT alone is set":     {container, map[string]string{"GOMEMLIMIT": "off"}, garbagePercent, math.MaxInt64, true},
	} {
		percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
		ballast := tuneMemory(c.root, func(name string) string { return c.env[name] })
		gotPercent, gotLimit := debug.SetGCPercent(percent), debug.SetMemoryLimit(limit)
		if gotPercent != c.wantPercent || gotLimit != c.wantLimit || ballast != nil != c.wantBallast {
			t.Errorf("%s: %d %%, at most %d bytes, a ballast of %d; want %d and %d, and a ballast: %v",
				name, gotPercent, gotLimit, len(ballast), c.wantPercent, c.wantLimit, c.wantBallast)
		}
	}
}
