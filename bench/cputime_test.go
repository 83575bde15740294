package bench_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/bench"
)

// The table has a row per kind of page with its total cost. Another table has the server's work.
func TestSpending(t *testing.T) {
	s := &bench.CPUTimes{Commit: "abc1234", Command: "a command", Date: "today", Machine: "two cores", Pages: []bench.PageCost{
		{What: "warm", Read: 1000, Server: 100, Redis: 20.5, Postgres: 30, Generator: 9.5, Shares: []bench.Share{{What: "HTTP", Percent: 12.4}}},
	}}
	s.Loads = []bench.Load{{Bytes: 256 << 10, Nanos: 4.25}, {Bytes: 64 << 20, Nanos: 123.4}}
	s.Together = 1.25
	want := "`a command` at commit abc1234, today, on two cores:\n\n" + `| a page | server | Redis | PostgreSQL | load generator | all |
| --- | --- | --- | --- | --- | --- |
| warm | 100 | 20.5 | 30.0 | 9.50 | **160** |

One dependent load from memory takes 4.25 ns in 256 KB, 123 ns in 65536 KB. All processors together compute 1.25 times as much as one.

Shares of the server's processor time, in percent:

| | warm |
| --- | --- |
| HTTP | 12 |
`
	if diff := cmp.Diff(want, s.Markdown()); diff != "" {
		t.Errorf("the text differs (-want +got):\n%s", diff)
	}
}
