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

// Skew shifts the member's clock by d, in whole seconds, from its next start on. 0 makes the clock
// correct again. The whole process sees the wrong time, including its libraries; intervals stay
// correct. Skew needs another executable. The first call in a test binary builds it.
//
// The program has no clock setting for tests. Neither a namespace nor a preloaded library changes
// the time of a Go program. The executable is therefore built from the same sources with a changed
// copy of the standard library's file that contains [time.Now].
func (m *Member) Skew(d time.Duration) {
	m.t.Helper()
	m.Program = skewedBinary.path(m.t)
	m.Env = append(m.Env, skewEnv+"="+strconv.FormatInt(int64(d/time.Second), 10))
}

// skewEnv is the environment variable that the copy of the standard library reads.
const skewEnv = "TESTENV_CLOCK_OFFSET_SECONDS"

// skewedBinary builds on the first call. sharedPostgres says why tests share it.
var skewedBinary = builtOnce(sync.OnceValues(func() (string, error) {
	dir, err := buildsDir()
	if err != nil {
		return "", err
	}
	// The go command takes no folder with this name for a package.
	sources := filepath.Join(dir, "_skewed")
	if err := os.MkdirAll(sources, 0o700); err != nil {
		return "", err
	}
	overlay, err := skewTime(sources)
	if err != nil {
		return "", err
	}
	return buildProgram(dir, "skewed", "-overlay", overlay)
}))

// readsClock is the text in the standard library by which Now reads the clock; the other text is
// added after it.
const (
	readsClock = "\tsec, nsec, mono := runtimeNow()\n"
	addsSkew   = "\tsec += skew\n"
)

// skewSource computes the offset once, at the start. Package time may import little, but it can
// read the environment.
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

// skewTime writes the changed copy into a folder and returns the overlay file for the go command.
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
