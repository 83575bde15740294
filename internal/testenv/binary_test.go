package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBuild_MakesRunnableProgram(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(root, "go.mod"), "module example.test/hello\n")
	for _, word := range []string{"hello", "again"} {
		writeFile(t, filepath.Join(root, "main.go"), "package main\n\nfunc main() { println(`"+word+"`) }\n")
		path, err := build(dir, "hello", root)
		if err != nil {
			t.Fatal(err)
		}
		p := Program(t, []string{path}, nil)
		p.WaitLine("^" + word + "$")
		if code := p.Wait(); code != 0 {
			t.Errorf("exit code %d, want 0", code)
		}
	}
}

func TestBuild_ReportsCompilerErrors(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "go.mod"), "module example.test/broken\n")
	writeFile(t, filepath.Join(root, "main.go"), "package main\n\nfunc main() { undefinedName() }\n")
	_, err := build(t.TempDir(), "broken", root)
	if err == nil || !strings.Contains(err.Error(), "undefinedName") {
		t.Errorf("error %v, want one that names undefinedName", err)
	}
}

func TestBinary_IsTheProgram(t *testing.T) {
	p := Program(t, []string{Binary(t), "version"}, nil)
	p.WaitLine("^tideline ")
	if code := p.Wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

// moduleRoot finds the module from the folder of any package.
func TestModuleRoot_HoldsGoMod(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(string(text), "module "+program+"\n") {
		t.Errorf("go.mod of %s is not this module's: %v", root, err)
	}
}

// Versions compare as numbers: 9.6 is older than 15.
func TestMajorVersion_ReturnsNumber(t *testing.T) {
	for path, want := range map[string]int{
		"/usr/lib/postgresql/9.6/bin/initdb": 9,
		"/usr/lib/postgresql/15/bin/initdb":  15,
		"/opt/postgres/bin/initdb":           0,
	} {
		if got := majorVersion(path); got != want {
			t.Errorf("majorVersion(%q) = %d, want %d", path, got, want)
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
