package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

// reading has the flags of read.
type reading struct {
	size    *world.Size
	server  page.Server
	load    drive.Load
	what    string
	viewers string
	limit   int
	depth   int
	zipf    bool
	json    bool
}

// signedWith is the variable from which the server and read take the token secret.
const signedWith = "TIDELINE_JWT_SECRET"

func parseReading(args []string, getenv func(string) string) (reading, error) {
	flags := flag.NewFlagSet("loadgen read", flag.ContinueOnError)
	r := reading{size: sizeFlags(flags)}
	flags.StringVar(&r.server.Addr, "addr", "127.0.0.1:8080", "HOST:PORT of the server; "+signedWith+" must have its secret")
	flags.IntVar(&r.load.Conns, "conns", 32, "number of connections")
	flags.DurationVar(&r.load.For, "for", 10*time.Second, "duration")
	flags.Float64Var(&r.load.Rate, "rate", 0, "requests per second, timed from when they are due; 0 for a closed loop")
	flags.StringVar(&r.what, "what", "home", "feeds to read: home or live")
	flags.StringVar(&r.viewers, "viewers", "crowd", "viewers: crowd, few (10 followees) or many (2,000 followees)")
	flags.IntVar(&r.limit, "limit", 1000, "maximum number of viewers")
	flags.IntVar(&r.depth, "page", 1, "page of the home feeds, from 1")
	flags.BoolVar(&r.zipf, "zipf", false, "draw viewers by Zipf's law instead of equally often")
	flags.BoolVar(&r.json, "json", false, "print the result as JSON")
	if err := flags.Parse(args); err != nil {
		return r, err
	}
	r.server.Secret, r.load.Addr, r.load.Seed = getenv(signedWith), r.server.Addr, r.size.Seed
	if r.server.Secret == "" {
		return r, errors.New("set " + signedWith + " to the server's secret")
	}
	return r, r.size.Check()
}

// read sends feed reads for the given time and prints the result.
func read(ctx context.Context, args []string, getenv func(string) string, out io.Writer) error {
	r, err := parseReading(args, getenv)
	if err != nil {
		return err
	}
	requests, err := r.requests(ctx)
	if err != nil {
		return err
	}
	if r.zipf {
		requests = requests.Zipf()
	}
	r.load.Next = requests.Next
	result, bad := drive.Run(ctx, r.load)
	if r.json {
		err = json.NewEncoder(out).Encode(result)
	} else {
		err = result.Write(out)
	}
	return errors.Join(bad, err)
}

// requests returns the requests of the chosen feed.
func (r reading) requests(ctx context.Context) (*page.RequestSet, error) {
	cohorts := map[string]world.Cohort{"crowd": r.size.Crowd(), "few": world.Few(), "many": world.Many()}
	cohort, ok := cohorts[r.viewers]
	if !ok {
		return nil, fmt.Errorf("-viewers must be crowd, few or many, not %q", r.viewers)
	}
	viewers := cohort.Users()
	viewers = viewers[:min(r.limit, len(viewers))]
	switch r.what {
	case "home":
		return page.HomePages(ctx, r.server, *r.size, viewers, r.depth)
	case "live":
		return page.LivePages(r.server, *r.size, viewers)
	}
	return nil, fmt.Errorf("-what must be home or live, not %q", r.what)
}
