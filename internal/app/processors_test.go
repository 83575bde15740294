package app

import "testing"

// What the environment says of threads counts, then what the container may use, and then what is
// right for a server.
func TestThreadsAreSparedUnlessTheEnvironmentSaysHowMany(t *testing.T) {
	for name, c := range map[string]struct {
		set                string
		chosen, processors int
		want               int
	}{
		"a machine":                          {"", 2, 2, 4},
		"a large machine":                    {"", 64, 64, 66},
		"a container with a bound":           {"", 2, 64, 0},
		"GOMAXPROCS is set to the same":      {"2", 2, 2, 0},
		"GOMAXPROCS is set":                  {"3", 3, 2, 0},
		"a server in a program that has one": {"", 4, 2, 0},
	} {
		if got := threadsFor(c.set, c.chosen, c.processors); got != c.want {
			t.Errorf("%s: %d threads, want %d", name, got, c.want)
		}
	}
}
