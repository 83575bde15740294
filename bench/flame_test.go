package bench_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the frames differ (-want +got):\n%s", diff)
	}
}

// An inlined function appears as a callee of the function it is inlined into.
func TestFlame_ShowsInlinedFunctions(t *testing.T) {
	p := sampled(map[string]int64{"outer": 7})
	p.Sample[0].Location[0].Line = []profile.Line{{Function: &profile.Function{Name: "inner"}}, {Function: &profile.Function{Name: "outer"}}}
	got := bench.Flame(p)
	want := &bench.Frame{Name: "all", Value: 7, Calls: []*bench.Frame{{Name: "outer", Value: 7, Calls: []*bench.Frame{{Name: "inner", Value: 7}}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the frames differ (-want +got):\n%s", diff)
	}
}

// Truncated chains are separate.
func TestFlame_CutsDeepCalls(t *testing.T) {
	root := bench.Flame(sampled(map[string]int64{strings.TrimSpace(strings.Repeat("f ", 64)): 9, "f": 1}))
	if len(root.Calls) != 2 || root.Calls[0].Name != "(deeper calls)" || root.Calls[0].Value != 9 {
		t.Errorf("the frames below the root are %+v", root.Calls)
	}
}

// The picture is well-formed, names and escapes wide frames, and omits frames too narrow to see.
func TestWriteFlame(t *testing.T) {
	var svg strings.Builder
	root := bench.Flame(sampled(map[string]int64{"net/http.(*conn).serve x.f[go.shape.<int>]": 99_000, "tiny": 1}))
	if err := bench.WriteFlame(&svg, "a < b", root); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, "flame", svg.String())
	for _, want := range []string{"a &lt; b", "http.(*conn).serve", "x.f[go.shape.&lt;int&gt;], 100.0 %"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if strings.Contains(svg.String(), "tiny") {
		t.Error("a frame of a thousandth of a hundredth is drawn")
	}
}
