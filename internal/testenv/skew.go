package testenv

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Skew makes the member's clock wrong by d from its next start on, in whole seconds; 0
// makes it right again. Everything in the process sees the wrong time, its libraries too,
// and intervals are as long as ever. It takes another executable, which is built on the
// first call in a test binary.
//
// The product has no clock that could be set for a test, and neither a name space nor a
// preloaded library changes the time that a Go program reads. So it is built from the same
// sources with another copy of one file of the standard library, that of [time.Now].
func (m *Member) Skew(d time.Duration) {
	m.t.Helper()
	built, err := skewedBinary()
	if err != nil {
		m.t.Fatal(err)
	}
	m.Program = built.path
	m.Env = append(m.Env, skewEnv+"="+strconv.FormatInt(int64(d/time.Second), 10))
}

// skewEnv is the environment variable that the copy of the standard library reads.
const skewEnv = "TESTENV_CLOCK_OFFSET_SECONDS"

// skewedBinary builds on the first call; see sharedPostgres for why it is shared.
var skewedBinary = sync.OnceValues(func() (*binary, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	return shared("skewed", func(dir, path string) error {
		overlay, err := skewTime(dir)
		if err != nil {
			return err
		}
		return buildMain(root, path, "-overlay", overlay)
	})
})

// What Now reads the clock by in the standard library's own words, and what is put behind
// it.
const (
	readsClock = "\tsec, nsec, mono := runtimeNow()\n"
	addsSkew   = "\tsec += skew\n"
)

// skewSource computes the offset once, at the start. A file of package time may import
// little, but the environment it can read.
const skewSource = `package time

import "syscall"

var skew = func() int64 {
	text, _ := syscall.Getenv("` + skewEnv + `")
	sign, seconds := int64(1), int64(0)
	for _, c := range text {
		if c == '-' {
			sign = -1
			continue
		}
		seconds = 10*seconds + int64(c-'0')
	}
	return sign * seconds
}()
`

// skewTime writes the changed copy into a folder, and returns the file that tells the go
// command of it.
func skewTime(dir string) (overlay string, err error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("testenv: go env GOROOT: %w", err)
	}
	library := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source, err := os.ReadFile(filepath.Join(library, "time.go"))
	if err != nil {
		return "", err
	}
	changed := strings.Replace(string(source), readsClock, readsClock+addsSkew, 1)
	if changed == string(source) {
		return "", errors.New("testenv: time.Now of this version of Go reads the clock in another way than is known here")
	}
	replace := map[string]string{}
	for name, text := range map[string]string{"time.go": changed, "skew.go": skewSource} {
		copied := filepath.Join(dir, name)
		replace[filepath.Join(library, name)] = copied
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}
