package app

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/sdl"
)

// FederationSettings configure the subgraph that routers see.
type FederationSettings struct {
	Federation     bool     `env:"TIDELINE_FEDERATION" help:"Be a subgraph of Apollo Federation 2, with the fields _service and _entities."`
	FederationOmit []string `env:"TIDELINE_FEDERATION_OMIT" placeholder:"FIELD,…" help:"Fields that the subgraph leaves out because another subgraph has them, such as User.name."`
	FederationNode bool     `env:"TIDELINE_FEDERATION_NODE" help:"Keep node and nodes of Query in the subgraph. They know only the objects of Tideline, so by default the router does not see them."`
}

// Check returns an error that names the first invalid setting.
func (s FederationSettings) Check() error {
	if !s.Federation && (len(s.FederationOmit) > 0 || s.FederationNode) {
		return BadSetting("--federation-omit and --federation-node need --federation")
	}
	_, err := s.subgraph()
	return err
}

// subgraph returns the schema definition of the subgraph; empty without --federation.
func (s FederationSettings) subgraph() (string, error) {
	if !s.Federation {
		return "", nil
	}
	text, err := sdl.Subgraph{Omit: s.FederationOmit, Node: s.FederationNode}.Schema()
	if err != nil {
		return "", BadSetting("--federation-omit: %s", feed.Reason(err))
	}
	return text, nil
}

// Schema returns the schema definition with costs: the public one, or with --federation that of the
// subgraph.
func (s FederationSettings) Schema() (string, error) {
	if !s.Federation {
		return sdl.WithCosts(), nil
	}
	return s.subgraph()
}
