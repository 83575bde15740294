package main

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

func TestProgram_ExitsWithTheCodeOfItsCommand(t *testing.T) {
	for argument, want := range map[string]struct {
		code int
		text string
	}{
		"version":    {0, "tideline "},
		"--nonsense": {2, "tideline: unknown flag --nonsense"},
	} {
		p := testenv.Program(t, []string{testenv.Binary(t), argument}, nil)
		if code := p.Wait(); code != want.code || !strings.HasPrefix(p.Output(), want.text) {
			t.Errorf("tideline %s: exit code %d, %q", argument, code, p.Output())
		}
	}
}
