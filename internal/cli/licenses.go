package cli

import (
	"fmt"
	"io"

	"github.com/tideline-feeds/tideline/internal/licenses"
	"github.com/tideline-feeds/tideline/web"
)

// printLicences prints the program's licence, and the notices of all that is built into it:
// the Go modules, and the npm packages of the pages.
func printLicences(w io.Writer) error {
	modules, err := licenses.GoModules()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n\n%s\nThe web client\n\n%s\nGraphiQL\n\n%s", licenses.Own(), modules, web.ClientLicences(), web.GraphiQLLicences())
	return err
}
