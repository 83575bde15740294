package bench_test

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/tideline-feeds/tideline/bench"
)

// sampled returns a profile of call chains, the outermost function first, with their nanoseconds.
func sampled(chains map[string]int64) *profile.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples"}, {Type: "cpu", Unit: "nanoseconds"}}}
	for chain, ns := range chains {
		s := &profile.Sample{Value: []int64{1, ns}}
		for name := range strings.SplitSeq(chain, " ") {
			at := &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}}
			s.Location = append([]*profile.Location{at}, s.Location...)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

// Calls by the same chain of callers are one frame, the most expensive first.
func TestFlame(t *testing.T) {
	got := bench.Flame(sampled(map[string]int64{"main a": 10, "main b": 30, "main b c": 5, "gc": 20}))
	want := &bench.Frame{Name: "all", Value: 65, Calls: []*bench.Frame{
		{Name: "main", Value: 45, Calls: []*bench.Frame{
			{Name: "b", Value: 35, Calls: []*bench.Frame{{Name: "c", Value: 5}}},
			{Name: "a", Value: 10},
		}},
		{Name: "gc", Value: 20},
	}}
	same(t, "the frames", got, want)
}

// The picture is well-formed, names and escapes wide frames, and omits frames too narrow to see.
func TestWriteFlame(t *testing.T) {
	var svg strings.Builder
	root := bench.Flame(sampled(map[string]int64{"net/http.(*conn).serve x.f[go.shape.<int>]": 99_000, "tiny": 1}))
	check(t, bench.WriteFlame(&svg, "a < b", root))
	for _, want := range []string{"a &lt; b", "http.(*conn).serve", "x.f[go.shape.&lt;int&gt;], 100.0 %"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if strings.Contains(svg.String(), "tiny") {
		t.Error("a frame of a thousandth of a hundredth is drawn")
	}
}
