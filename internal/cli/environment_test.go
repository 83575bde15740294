package cli

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"
)

// environmentOf reads variables for a command.
func environmentOf(t *testing.T, command string, variables ...string) environment {
	t.Helper()
	parser, err := kong.New(&commands{})
	check(t, err)
	i := slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == command })
	return readEnvironment(variables, parser.Model, parser.Model.Children[i])
}

func TestEnvironment_NamesUnknownSettings(t *testing.T) {
	for variable, want := range map[string]string{
		"TIDELINE_PUSH_TRESHOLD=1":     "TIDELINE_PUSH_TRESHOLD (did you mean TIDELINE_PUSH_THRESHOLD?)",
		"TIDELINE_JWT_SECERT=x":        "TIDELINE_JWT_SECERT (did you mean TIDELINE_JWT_SECRET?)",
		"TIDELINE_DATABSE_URL=x":       "TIDELINE_DATABSE_URL (did you mean TIDELINE_DATABASE_URL?)",
		"TIDELINE_REDIS=x":             "TIDELINE_REDIS (did you mean TIDELINE_REDIS_URL?)",
		"TIDELINE_HEALHT_URL=x":        "TIDELINE_HEALHT_URL (did you mean TIDELINE_HEALTH_URL?)",
		"tideline_addr=x":              "tideline_addr (did you mean TIDELINE_ADDR?)",
		"TIDELINE_COLOUR_OF_THE_SEA=x": "TIDELINE_COLOUR_OF_THE_SEA",
		"TIDELINE_PORT=8080":           "TIDELINE_PORT",
	} {
		if got := environmentOf(t, "serve", variable).unknown; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", variable, got, want)
		}
	}
}

func TestEnvironment_IgnoresOtherVariables(t *testing.T) {
	e := environmentOf(t, "worker", "PATH=/bin", "TIDELINE_LOG_LEVEL=debug",
		"TIDELINE_API_SERVICE_HOST=10.0.0.1", "TIDELINE_API_SERVICE_PORT=8080", "TIDELINE_API_SERVICE_PORT_HTTP=8080",
		"TIDELINE_API_PORT=tcp://10.0.0.1:8080", "TIDELINE_API_PORT_8080_TCP=tcp://10.0.0.1:8080",
		"TIDELINE_API_PORT_8080_TCP_ADDR=10.0.0.1", "TIDELINE_PORT_8080_TCP_PROTO=tcp")
	if len(e.unknown)+len(e.others) > 0 {
		t.Errorf("the environment is %+v", e)
	}
}

func TestEnvironment_SeparatesSettingsOfOtherCommands(t *testing.T) {
	e := environmentOf(t, "worker", "TIDELINE_JWT_SECRET=x", "TIDELINE_HEALTH_URL=x", "TIDELINE_REDIS_URL=x")
	if want := []string{"TIDELINE_HEALTH_URL", "TIDELINE_JWT_SECRET"}; !slices.Equal(e.others, want) || len(e.unknown) > 0 {
		t.Errorf("the environment is %+v, want %q of other commands", e, want)
	}
}
