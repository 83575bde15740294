// Licenses writes the licence notices of the program's dependencies as compressed text:
//
//	licenses FILE PACKAGE
//
// FILE is the output, in the module of PACKAGE, the program's main package. Notices are files
// with licences, copyrights and patents: in the folders of all packages that the program imports
// on any platform, in the folders above them up to the module, and among their embedded files. A
// module without a known licence is an error.
package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := write(context.Background(), os.Args[1:]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func write(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("want a file to write and a package")
	}
	modules, err := imported(ctx, filepath.Dir(args[0]), args[1])
	if err != nil {
		return err
	}
	text, err := notices(modules)
	if err != nil {
		return err
	}
	f, err := os.Create(args[0]) //nolint:gosec // the caller names what to write
	if err != nil {
		return err
	}
	// Without name and time, the same notices make the same file.
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err == nil {
		_, err = z.Write([]byte(text))
		err = errors.Join(err, z.Close())
	}
	return errors.Join(err, f.Close())
}
