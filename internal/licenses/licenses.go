// Package licenses holds the licence of the program and the notices of the Go modules that
// it is built from, which must go with every copy of it.
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

// Own returns the licence of the program itself: a copy of LICENSE, which lies where only the
// root package could embed it.
func Own() string { return own }

// GoModules returns the notices, each under the modules that have it. An error means that
// the program was built from a damaged file.
func GoModules() (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(z)
	return string(text), err
}
