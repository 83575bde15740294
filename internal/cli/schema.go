package cli

import (
	"fmt"

	"github.com/tideline-feeds/tideline/internal/app"
)

// schemaCommand prints the schema definition.
type schemaCommand struct{ app.FederationSettings }

func (c *schemaCommand) Run(o output) error {
	if err := c.Check(); err != nil {
		return err
	}
	text, err := c.Schema()
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(o.out, text)
	return err
}
