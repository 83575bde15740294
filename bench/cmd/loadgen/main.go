// Loadgen makes up a social network and reads its feeds from a running server, as fast as
// it can or at a rate, and judges every page it gets.
//
//	loadgen records  writes the network as records for tideline import
//	loadgen read     reads pages of feeds and prints how long they took
//	loadgen prebuilt serves one file from memory, to compare with
//	loadgen bound    serves it behind the reads of a page with nothing cached
//
// The network is made of numbers: give read the same ones as records, and it knows what
// every page must hold (package world). What a page takes is told in package drive.
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
		return fmt.Errorf("say what to do: records, read, prebuilt or bound; -h behind it lists the flags")
	}
	return commands[args[0]](ctx, args[1:], getenv, out)
}

// sizeFlags are the flags that say which network it is.
func sizeFlags(flags *flag.FlagSet) *world.Size {
	var s world.Size
	flags.Uint64Var(&s.Seed, "seed", 1, "what the network is drawn from")
	flags.Int64Var(&s.Users, "users", 10_000, "users, at least 1,000")
	flags.IntVar(&s.Follows, "follows", 60, "how many users somebody follows in the mean")
	flags.IntVar(&s.Posts, "posts", 10, "contents of each user, at most 1,000")
	flags.Int64Var(&s.Followers, "followers", 0, "followers of one more user, the star; 0 for no star")
	flags.BoolVar(&s.Live, "live", false, "have everybody host live sessions")
	return &s
}
