package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/alecthomas/kong"

	"github.com/tideline-feeds/tideline/internal/warnings"
)

// environment is what the variables with this program's prefix come to for one command.
type environment struct {
	// unknown are those that no command reads, each with the one that may be meant.
	unknown []string
	// others are those that other commands read and this one does not.
	others []string
}

// settingPrefix begins the names of all settings.
const settingPrefix = "TIDELINE_"

// readEnvironment looks through variables, given as NAME=value, for one command of the program.
func readEnvironment(variables []string, program *kong.Application, command *kong.Node) environment {
	all, own := settingNames(program.Node), settingNames(command)
	var e environment
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		switch {
		case !strings.HasPrefix(strings.ToUpper(name), settingPrefix), isServiceLink(name, value), slices.Contains(own, name):
		case slices.Contains(all, name):
			e.others = append(e.others, name)
		default:
			e.unknown = append(e.unknown, name+didYouMean(strings.ToUpper(name), all))
		}
	}
	slices.Sort(e.unknown)
	slices.Sort(e.others)
	return e
}

// settingNames returns the variables that a command and its subcommands read.
func settingNames(n *kong.Node) []string {
	var names []string
	for _, flag := range n.Flags {
		names = append(names, flag.Envs...)
	}
	for _, child := range n.Children {
		names = append(names, settingNames(child)...)
	}
	return names
}

// serviceLink matches the variables that Kubernetes sets for a service called tideline or
// tideline-something, except the one that ends in _PORT.
var serviceLink = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`)

// isServiceLink says whether Kubernetes has set a variable: no one has to correct it.
func isServiceLink(name, value string) bool {
	return serviceLink.MatchString(name) || strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://")
}

// nearestWithin is how many letters may be wrong in a short name, two that are swapped
// included. In a long one it is a third of them.
const nearestWithin = 2

// didYouMean returns a question that names the nearest of the names, or "" if none is near.
// A name whose last words or letters are missing is near.
func didYouMean(name string, names []string) string {
	best, distance := "", len(name)
	for _, candidate := range names {
		d := levenshtein.ComputeDistance(name, candidate)
		if len(name) > len(settingPrefix)+1 && strings.HasPrefix(candidate, name) {
			d = min(d, 1)
		}
		if d < distance {
			best, distance = candidate, d
		}
	}
	if distance > max(nearestWithin, (len(best)-len(settingPrefix))/3) {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// check warns about settings that no command reads.
func (e environment) check() warnings.Check {
	return warnings.Check{
		Name:     "unknown_setting",
		Action:   "correct the name or unset the variable; docs/commands.md lists all of them",
		Evaluate: func(context.Context) (string, error) { return e.message(), nil },
	}
}

// message says which settings no command reads, and "" if there are none.
func (e environment) message() string {
	if len(e.unknown) == 0 {
		return ""
	}
	return "no command reads the environment variable " + strings.Join(e.unknown, ", ")
}

// print warns on w about settings that no command reads.
func (e environment) print(w io.Writer) {
	if message := e.message(); message != "" {
		_, _ = fmt.Fprintln(w, "tideline: warning:", message)
	}
}

// reportsWarnings says whether a command reports warnings itself: in its log or its report.
func reportsWarnings(command string) bool {
	return slices.Contains([]string{"serve", "worker", "doctor"}, command)
}

// logOthers logs the settings of other commands, which one file of variables for several
// commands is bound to have. That is no warning.
func (e environment) logOthers(log *slog.Logger) {
	if len(e.others) > 0 {
		log.Info("this command does not use settings of other commands", "settings", strings.Join(e.others, ", "))
	}
}
