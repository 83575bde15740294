// Loadgen generates a social network, reads its feeds from a running server at full speed or at a
// rate, and verifies every page.
//
//	loadgen records  writes the network as records for tideline import
//	loadgen read     reads pages of feeds and prints how long they took
//	loadgen prebuilt serves one file from memory, to compare with
//	loadgen bound    serves it after the reads of an uncached page
//
// The settings determine the network. With the settings of records, read computes the expected
// posts of every page (package world). Package drive describes the times.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadgen:", err)
		os.Exit(1)
	}
}

// run runs one command.
func run(ctx context.Context, args []string, getenv func(string) string, out io.Writer) error {
	commands := map[string]func(context.Context, []string, func(string) string, io.Writer) error{
		"records": records, "read": read, "prebuilt": prebuilt, "bound": bound,
	}
	if len(args) == 0 || commands[args[0]] == nil {
		return fmt.Errorf("the command must be records, read, prebuilt or bound; loadgen COMMAND -h lists its flags")
	}
	return commands[args[0]](ctx, args[1:], getenv, out)
}

// sizeFlags defines the flags that determine the network.
func sizeFlags(flags *flag.FlagSet) *world.Size {
	var s world.Size
	flags.Uint64Var(&s.Seed, "seed", 1, "seed of the random network")
	flags.Int64Var(&s.Users, "users", 10_000, "number of users, at least 1,000")
	flags.IntVar(&s.Follows, "follows", 60, "mean number of follows of a user")
	flags.IntVar(&s.Posts, "posts", 10, "posts of each user, at most 1,000")
	flags.Int64Var(&s.Followers, "followers", 0, "followers of one more user, the star; 0 for no star")
	flags.BoolVar(&s.Live, "live", false, "let all users host live sessions")
	return &s
}
