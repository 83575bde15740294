package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestShadow_RefusesSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shadow.yaml")
	check(t, os.WriteFile(file, []byte("page: {posts: =body}\npost: {id: =post}\n"), 0o600))
	for args, want := range map[string]string{
		"--max-different=0.1":         "--max-different must be a percentage from 0% to 100%, such as 0.1%, not \"0.1\"",
		"--max-different=NaN%":        "--max-different must be a percentage",
		"--max-different=101%":        "--max-different must be a percentage",
		"--allow=deleted,nonsense":    `--allow: "nonsense" is no reason`,
		"--pages=0":                   "--pages must be from 1 to 1000, not 0",
		"--rate=0":                    "--rate must be from 0.01",
		"--old=ftp://h":               "--old must be the URL of an endpoint",
		"--old=http://ann:secret@h":   "--old must not have a user or a password",
		"--map=none.yaml":             "--map: open none.yaml",
		"--kinds=STORY":               "--kinds must be one of",
		"--data-dir=" + t.TempDir():   "shadow",
		"--viewers=v --data-dir=none": "shadow",
	} {
		var out bytes.Buffer
		code := Run(t.Context(), append([]string{"shadow", "--old=http://127.0.0.1:1", "--map=" + file}, strings.Fields(args)...), &out, &out)
		if code == 0 || !strings.Contains(out.String(), want) || strings.Contains(out.String(), "secret") {
			t.Errorf("%s: exit code %d, %s", args, code, out.String())
		}
	}
}
