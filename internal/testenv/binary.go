package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// buildsEnv names a folder in which several test binaries share built programs. scripts/test.sh
// sets it, because linking one program takes seconds.
const buildsEnv = "TESTENV_BUILDS"

// Binary builds the main program of this module and returns the path of the executable. It builds
// once for each test binary, or once for each run of scripts/test.sh. The executable is removed
// when the test binary or the script ends.
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

// The first call builds a program. sharedPostgres says why tests share them.
var (
	builtBinary    = buildOnce("tideline")
	builtUpgraded  = buildOnce("upgraded", "-tags=upgraded")
	builtToxiproxy = builtOnce(sync.OnceValues(buildToxiproxy))
)

// buildToxiproxy builds the server of [StartProxy] from its own module. That module keeps its
// dependencies out of the program's.
func buildToxiproxy() (*binary, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	return shared("toxiproxy", func(dir, path string) error {
		return build(filepath.Join(root, "internal", "testenv", "servers"), "-o", path, "github.com/Shopify/toxiproxy/v2/cmd/server")
	})
}

// build runs go build in a folder. It omits debug data, as releases do, because linking them takes
// time.
func build(folder string, arguments ...string) error {
	cmd := exec.Command("go", append([]string{"build", "-ldflags=-s -w"}, arguments...)...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("testenv: go build: %w; its output:\n%s", err, out)
	}
	return nil
}

// builtOnce is a program that is built on the first call.
type builtOnce func() (*binary, error)

// buildOnce returns the main program under a name, built with further flags.
func buildOnce(name string, flags ...string) builtOnce {
	return sync.OnceValues(func() (*binary, error) {
		root, err := moduleRoot()
		if err != nil {
			return nil, err
		}
		return shared(name, func(_, path string) error {
			return buildMain(root, path, flags...)
		})
	})
}

func (b builtOnce) path(t testing.TB) string {
	t.Helper()
	built, err := b()
	if err != nil {
		t.Fatal(err)
	}
	return built.path
}

// binary is a built program. It holds the guard of its folder, if any: the folder is removed when
// the guard ends.
type binary struct {
	path  string
	guard *guard
}

// shared returns the program that compile writes to path, with other files in dir. If
// scripts/test.sh names a folder, one test binary runs compile and the others wait for it.
func shared(name string, compile func(dir, path string) error) (*binary, error) {
	root := os.Getenv(buildsEnv)
	if root == "" {
		dir, g, err := guardedDir()
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, name)
		return &binary{path: path, guard: g}, compile(dir, path)
	}
	lock, err := os.Create(filepath.Join(root, name+".lock"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = lock.Close() }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, fmt.Errorf("testenv: lock %s: %w", lock.Name(), err)
	}
	path := filepath.Join(root, name)
	if _, err := os.Stat(path); err == nil {
		return &binary{path: path}, nil
	}
	dir, err := os.MkdirTemp(root, name+"-")
	if err != nil {
		return nil, err
	}
	made := filepath.Join(dir, name)
	if err := compile(dir, made); err != nil {
		return nil, err
	}
	return &binary{path: path}, os.Rename(made, path)
}

// buildMain builds the main package of a folder with further flags.
func buildMain(root, path string, flags ...string) error {
	return build(root, append(flags, "-o", path, ".")...)
}

const program = "github.com/tideline-feeds/tideline"

// moduleRoot returns the folder of the program's module. It also works in tests of other modules,
// because they replace the program's module by a folder.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", program).Output()
	if err != nil {
		return "", fmt.Errorf("testenv: find the folder of %s: %w", program, err)
	}
	return strings.TrimSpace(string(out)), nil
}
