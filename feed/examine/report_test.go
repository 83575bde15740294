package examine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed/examine"
)

// line is a line of a report: its class, and an x if it is normal.
type line string

func (l line) Class() examine.Class {
	kind, isNormal := strings.CutSuffix(string(l), " x")
	return examine.Class{Kind: examine.Kind(kind), Normal: isNormal, Words: "about " + kind}
}

func (l line) String() string { return "one\t" + string(l) }

func TestReport_CountsAllAndListsFirst(t *testing.T) {
	r := examine.NewReport[line](3, 2)
	if !r.Add([]line{"a x", "b", "b", "b"}) || r.Add([]line{"a x", "c x"}) || !r.Add([]line{"b", "d", "c x", "c x"}) {
		t.Error("a subject with a wrong finding, and no other, counts as wrong")
	}
	if want := []line{"b", "b", "b", "a x", "a x", "c x"}; !slices.Equal(r.Findings, want) || r.LeftOut != 4 || !r.Full(false) || !r.Full(true) {
		t.Errorf("it lists %q and leaves out %d, want %q", r.Findings, r.LeftOut, want)
	}
	var out strings.Builder
	r.Write(&out)
	want := `found
  ERROR	b	4 findings	2 users	about b
  ERROR	d	1 findings	1 users	about d
  normal	a	2 findings	2 users	about a
  normal	c	3 findings	2 users	about c
namely
  ERROR	one	b
  ERROR	one	b
  ERROR	one	b
  normal	one	a x
  normal	one	a x
  normal	one	c x
  and 4 more
`
	if out.String() != want {
		t.Errorf("it prints\n%s\nwant\n%s", &out, want)
	}
	if subjects, findings := r.Sum(true); subjects != 4 || findings != 5 {
		t.Errorf("%d normal findings about %d, want 5 about 4", findings, subjects)
	}
}
