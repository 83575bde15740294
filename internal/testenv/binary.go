package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// The environment variables of scripts/gotest.sh. go test reuses a result only if the variables
// that the test read have the same values. It does not notice that a program or a file outside the
// test's module has changed.
const (
	// programEnv is a digest of the program's sources.
	programEnv = "TESTENV_PROGRAM"
	// checkoutEnv is a digest of all files of the checkout.
	checkoutEnv = "TESTENV_CHECKOUT"
	// raceEnv is set to build the programs with the race detector.
	raceEnv = "TESTENV_RACE"
)

// Binary builds the main program of this module and returns the path of the executable. It takes
// half a second if the executable is up to date.
func Binary(t testing.TB) string {
	t.Helper()
	return builtBinary.path(t)
}

// UpgradedBinary is [Binary] for the next version of the program: its schema, task payloads and
// storage format are one version ahead.
func UpgradedBinary(t testing.TB) string {
	t.Helper()
	return builtUpgraded.path(t)
}

// Raced reports whether [Binary] is built with the race detector, with which programs take up to ten
// times the memory.
func Raced() bool { return os.Getenv(raceEnv) != "" }

// Checkout returns the folder of the program's module. Tests find files there that are not in their
// own module.
func Checkout(t testing.TB) string {
	t.Helper()
	_ = os.Getenv(checkoutEnv)
	root, err := moduleRoot()
	check(t, err)
	return root
}

// The first call builds a program. sharedPostgres says why tests share them.
var (
	builtBinary    = buildOnce("tideline")
	builtUpgraded  = buildOnce("upgraded", "-tags=upgraded")
	builtToxiproxy = builtOnce(sync.OnceValues(buildToxiproxy))
)

// buildToxiproxy builds the server of [StartProxy] from its own module. That module keeps its
// dependencies out of the program's.
func buildToxiproxy() (string, error) {
	dir, err := buildsDir()
	if err != nil {
		return "", err
	}
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	return build(dir, "toxiproxy", filepath.Join(root, "internal", "testenv", "servers"), "github.com/Shopify/toxiproxy/v2/cmd/server")
}

// builtOnce is a program that is built on the first call.
type builtOnce func() (string, error)

// buildOnce returns the main program under a name, built with further flags.
func buildOnce(name string, flags ...string) builtOnce {
	return sync.OnceValues(func() (string, error) {
		dir, err := buildsDir()
		if err != nil {
			return "", err
		}
		return buildProgram(dir, name, flags...)
	})
}

// path returns the path of the executable.
func (b builtOnce) path(t testing.TB) string {
	t.Helper()
	_ = os.Getenv(programEnv)
	path, err := b()
	check(t, err)
	return path
}

// buildProgram builds the main program in dir under a name.
func buildProgram(dir, name string, flags ...string) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	if Raced() {
		name += "-race"
		flags = append(flags, "-race")
	}
	return build(dir, name, root, append(flags, ".")...)
}

// build runs go build with arguments in the folder from. It returns the executable that it makes in
// dir. Concurrent test binaries build an executable one after the other, and all but the first find
// it up to date. The executable has no debug data, as in releases, because linking it takes time.
func build(dir, name, from string, arguments ...string) (string, error) {
	path := filepath.Join(dir, name)
	lock, err := os.Create(path + ".lock")
	if err != nil {
		return "", err
	}
	defer func() { _ = lock.Close() }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", fmt.Errorf("testenv: lock %s: %w", lock.Name(), err)
	}
	cmd := exec.Command("go", slices.Concat([]string{"build", "-ldflags=-s -w", "-o", path}, arguments)...)
	cmd.Dir = from
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("testenv: go build: %w; its output:\n%s", err, out)
	}
	return path, nil
}

// buildsDir makes the folder of the checkout in which test binaries share built programs.
func buildsDir() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "bin", "test")
	return dir, os.MkdirAll(dir, 0o700)
}

const program = "github.com/tideline-feeds/tideline"

// moduleRoot returns the folder of the program's module. It also works in tests of other modules,
// because they replace the program's module by a folder.
var moduleRoot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", program).Output()
	if err != nil {
		return "", fmt.Errorf("testenv: find the folder of %s: %w", program, err)
	}
	return strings.TrimSpace(string(out)), nil
})
