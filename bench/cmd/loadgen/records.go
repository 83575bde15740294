package main

import (
	"context"
	"flag"
	"io"
	"time"
)

// records writes a network.
func records(_ context.Context, args []string, _ func(string) string, out io.Writer) error {
	flags := flag.NewFlagSet("loadgen records", flag.ContinueOnError)
	size := sizeFlags(flags)
	seen := flags.Duration("seen", time.Hour, "time since users were last seen, which makes them active or dormant")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := size.Check(); err != nil {
		return err
	}
	return size.Write(out, time.Now().Add(-*seen))
}
