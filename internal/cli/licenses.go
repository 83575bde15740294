package cli

import (
	"fmt"
	"io"

	"github.com/tideline-feeds/tideline/internal/licenses"
	"github.com/tideline-feeds/tideline/web"
)

// printLicences prints the licence of the program, and those of the Go modules and npm packages
// in it.
func printLicences(w io.Writer) error {
	modules, err := licenses.GoModules()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n\n%s\nThe web client\n\n%s\nGraphiQL\n\n%s", licenses.Own(), modules, web.ClientLicences(), web.GraphiQLLicences())
	return err
}
