// Package licenses has the licence of the program and the notices of its Go modules.
package licenses

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the notices
	"io"
)

//go:generate go run -C ../cmd/licenses . ../../licenses/go.txt.gz github.com/tideline-feeds/tideline
//go:generate cp ../../LICENSE own.txt

//go:embed go.txt.gz
var compressed []byte

//go:embed own.txt
var own string

// Own returns a copy of LICENSE, which only the root package could embed.
func Own() string { return own }

// GoModules returns the notices by module. It fails only if the embedded file is damaged.
func GoModules() (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(z)
	return string(text), err
}
