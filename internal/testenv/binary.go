package testenv

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Binary builds the main program of this module, once for each test binary, and
// returns the path of the executable. It is removed when the test binary ends.
func Binary(t testing.TB) string {
	t.Helper()
	return builtBinary.path(t)
}

// UpgradedBinary is [Binary] for a program of a version to come: whatever versions of the
// program tell each other is of the next version in it.
func UpgradedBinary(t testing.TB) string {
	t.Helper()
	return builtUpgraded.path(t)
}

// All are built on the first call; see sharedPostgres for why they are shared.
var (
	builtBinary    = buildOnce()
	builtUpgraded  = buildOnce("-tags=upgraded")
	builtToxiproxy = builtOnce(sync.OnceValues(buildToxiproxy))
)

// buildToxiproxy builds the server of [StartProxy] from a module of its own, so that what it
// needs is none of the program's.
func buildToxiproxy() (*binary, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	dir, g, err := guardedDir()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "toxiproxy")
	if err := build(filepath.Join(root, "internal", "testenv", "servers"), "-o", path, "github.com/Shopify/toxiproxy/v2/cmd/server"); err != nil {
		return nil, err
	}
	return &binary{path: path, guard: g}, nil
}

// build runs go build with arguments in a folder.
func build(folder string, arguments ...string) error {
	cmd := exec.Command("go", append([]string{"build"}, arguments...)...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("testenv: go build: %w; its output:\n%s", err, out)
	}
	return nil
}

// builtOnce is a program that is built when it is first asked for.
type builtOnce func() (*binary, error)

// buildOnce returns the main program, to be built with further flags.
func buildOnce(flags ...string) builtOnce {
	return sync.OnceValues(func() (*binary, error) {
		root, err := moduleRoot()
		if err != nil {
			return nil, err
		}
		return buildBinary(root, flags...)
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

// binary is the built program and the guard of its folder, which is kept because
// its end is the end of the folder.
type binary struct {
	path  string
	guard *guard
}

// buildBinary builds the main package in the given folder, with further flags.
func buildBinary(root string, flags ...string) (*binary, error) {
	dir, g, err := guardedDir()
	if err != nil {
		return nil, err
	}
	return buildIn(dir, g, root, flags...)
}

// buildIn builds the main package in the folder root into a guarded one, with further
// flags of go build.
func buildIn(dir string, g *guard, root string, flags ...string) (*binary, error) {
	path := filepath.Join(dir, "tideline")
	if err := build(root, append(flags, "-o", path, ".")...); err != nil {
		return nil, err
	}
	return &binary{path: path, guard: g}, nil
}

// program is the module of the program.
const program = "github.com/tideline-feeds/tideline"

// moduleRoot returns the folder of the program's module. Tests of other modules find it too,
// because they replace the program's module by a folder.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", program).Output()
	if err != nil {
		return "", fmt.Errorf("testenv: find the folder of %s: %w", program, err)
	}
	return strings.TrimSpace(string(out)), nil
}
