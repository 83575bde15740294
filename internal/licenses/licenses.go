// Package licenses holds the licence notices of the Go modules that the program is built
// from, which must go with every copy of it.
package licenses

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the notices
	"io"
)

//go:generate go run ../cmd/licenses go.txt.gz github.com/tideline-feeds/tideline

//go:embed go.txt.gz
var compressed []byte

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
