package bench

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// Frame is a function in a flame graph, with all its calls by the same chain of callers.
type Frame struct {
	Name string
	// Value is the CPU time of the function and its callees in nanoseconds.
	Value int64
	// Calls are the callees, the most expensive first.
	Calls []*Frame
}

// deepest is the number of innermost frames that the runtime records per sample.
const deepest = 64

// Flame aggregates the samples of a CPU profile by call chain. The root has all samples. Truncated
// chains are below a separate frame.
func Flame(p *profile.Profile) *Frame {
	root := &node{below: map[string]*node{}}
	value := len(p.SampleType) - 1
	for _, s := range p.Sample {
		n := root
		n.value += s.Value[value]
		for _, name := range chain(s) {
			n = n.call(name)
			n.value += s.Value[value]
		}
	}
	return root.frame("all")
}

// wrapper matches the frames between layers of handlers, which carry no information.
const wrapper = "net/http.HandlerFunc.ServeHTTP"

// chain returns the function names of a sample, the outermost first.
func chain(s *profile.Sample) []string {
	var names []string
	calls := 0
	for _, location := range slices.Backward(s.Location) {
		// A location lists a function and the functions it is inlined into.
		for _, line := range slices.Backward(location.Line) {
			if line.Function != nil && line.Function.Name != wrapper {
				names = append(names, line.Function.Name)
			}
			calls++
		}
	}
	if calls >= deepest {
		return append([]string{"(deeper calls)"}, names...)
	}
	return names
}

// node is a frame under construction.
type node struct {
	value int64
	below map[string]*node
}

func (n *node) call(name string) *node {
	to, ok := n.below[name]
	if !ok {
		to = &node{below: map[string]*node{}}
		n.below[name] = to
	}
	return to
}

func (n *node) frame(name string) *Frame {
	f := &Frame{Name: name, Value: n.value}
	for _, called := range slices.Sorted(maps.Keys(n.below)) {
		f.Calls = append(f.Calls, n.below[called].frame(called))
	}
	slices.SortStableFunc(f.Calls, func(a, b *Frame) int { return cmp.Compare(b.Value, a.Value) })
	return f
}

// The size of a flame graph in pixels. Frames narrower than flameNarrow, which are most frames of a
// profile, are omitted with their callees. They are too small to see or to point at.
const (
	flameWidth, flameRow     = 1200, 17
	flameTop, flameMargin    = 34, 10
	flameNarrow              = 3.5
	flameLetter, flameBorder = 6.6, 3
)

// WriteFlame draws a flame graph with callers above callees. The width of a frame is its share of
// CPU time, and its tooltip states the share.
func WriteFlame(w io.Writer, title string, root *Frame) error {
	d := &flames{total: root.Value}
	d.frame(root, 0, flameMargin)
	height := flameTop + (d.lowest+1)*flameRow + flameMargin
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="monospace" font-size="11" role="img">
<title>%s</title>
<rect width="%d" height="%d" fill="#ffffff"/>
<text x="%d" y="21" font-family="sans-serif" font-size="15" font-weight="bold">%s</text>
%s</svg>
`, flameWidth, height, escape(title), flameWidth, height, flameMargin, escape(title), d.svg.String())
	return err
}

// flames is a flame graph under construction.
type flames struct {
	svg    strings.Builder
	total  int64
	lowest int
}

// frame draws a frame and its callees from the given left edge.
func (d *flames) frame(f *Frame, depth int, left float64) {
	width := float64(f.Value) / float64(d.total) * (flameWidth - 2*flameMargin)
	if width < flameNarrow {
		return
	}
	d.lowest = max(d.lowest, depth)
	top := flameTop + depth*flameRow
	fmt.Fprintf(&d.svg, `<g><title>%s, %.1f %%</title><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s" stroke="#ffffff" stroke-width="0.5"/>`,
		escape(f.Name), 100*float64(f.Value)/float64(d.total), left, top, width, flameRow-1, flameColour(f.Name))
	if label := shortened(f.Name, int((width-2*flameBorder)/flameLetter)); label != "" {
		fmt.Fprintf(&d.svg, `<text x="%.1f" y="%d">%s</text>`, left+flameBorder, top+12, escape(label))
	}
	d.svg.WriteString("</g>\n")
	for _, called := range f.Calls {
		d.frame(called, depth+1, left)
		left += float64(called.Value) / float64(d.total) * (flameWidth - 2*flameMargin)
	}
}

// shortened returns a function's name without the path of its package. It truncates the name to the
// given number of letters, and returns nothing if only three or fewer fit.
func shortened(name string, letters int) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	switch {
	case letters <= 3:
		return ""
	case len(name) > letters:
		return name[:letters-1] + "…"
	}
	return name
}

// flameColour returns one colour per package: blue for the project's own, warm colours for others.
func flameColour(name string) string {
	at := strings.LastIndexByte(name, '/') + 1
	of, _, _ := strings.Cut(name[at:], ".")
	h := fnv.New32a()
	_, _ = h.Write([]byte(name[:at] + of)) // never fails
	shade := h.Sum32() % 40
	if strings.HasPrefix(name, module) {
		return fmt.Sprintf("hsl(%d, 70%%, 75%%)", 190+shade)
	}
	return fmt.Sprintf("hsl(%d, 75%%, 75%%)", 15+shade)
}

// module is the prefix of the project's function names.
const module = "github.com/tideline-feeds/tideline"
