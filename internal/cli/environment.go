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

	"github.com/tideline-feeds/tideline/internal/kit/warnings"
)

// environment describes the variables with this program's prefix, for one command.
type environment struct {
	// unknown are variables that no command reads, with suggestions.
	unknown []string
	// others are variables that only other commands read.
	others []string
}

const settingPrefix = "TIDELINE_"

// readEnvironment examines variables, each NAME=value.
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

// settingNames returns the variables of a command and its subcommands.
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

// serviceLink matches variables that Kubernetes sets for a service named tideline or
// tideline-something, except those that end in _PORT.
var serviceLink = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`)

// isServiceLink reports whether Kubernetes set the variable, so that it needs no warning.
func isServiceLink(name, value string) bool {
	return serviceLink.MatchString(name) || strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://")
}

// nearestWithin is the tolerated edit distance for short names; for long ones it is a third of
// their length.
const nearestWithin = 2

// didYouMean returns a question with the closest name; empty if none is close. Prefixes of names
// are close.
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
		Action:   "correct the name or unset the variable; docs/commands.md lists all variables",
		Evaluate: func(context.Context) (string, error) { return e.message(), nil },
	}
}

// message names the settings that no command reads; empty if there are none.
func (e environment) message() string {
	if len(e.unknown) == 0 {
		return ""
	}
	return "no command reads the environment variable " + strings.Join(e.unknown, ", ")
}

// print prints the warning to w.
func (e environment) print(w io.Writer) {
	if message := e.message(); message != "" {
		_, _ = fmt.Fprintln(w, "tideline: warning:", message)
	}
}

// reportsWarnings reports whether a command has its own place for warnings: its log or its
// report.
func reportsWarnings(command string) bool {
	return slices.Contains([]string{"serve", "worker", "run", "doctor"}, command)
}

// logOthers logs settings of other commands. They are normal if several commands share a file of
// variables.
func (e environment) logOthers(log *slog.Logger) {
	if len(e.others) > 0 {
		log.Info("ignored settings of other commands", "settings", strings.Join(e.others, ", "))
	}
}
