//go:build !race

package archtest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/archtest"
)

// longNames is the number of test names that may be too long. It only decreases, to 0.
const longNames = 2

func TestNames_SayThePromiseInEightWords(t *testing.T) {
	long, err := archtest.LongNames(os.DirFS("../.."))
	check(t, err)
	if len(long) <= longNames {
		return
	}
	var list strings.Builder
	for _, name := range long {
		fmt.Fprintf(&list, "\n\t%s: %s has %d words", name.File, name.Name, name.Words)
	}
	t.Errorf("%d test names are too long, %d are allowed: write TestSubject_Promise with at most eight words after the subject and ten in all%s",
		len(long), longNames, list.String())
}

func TestLongNames_CountsWords(t *testing.T) {
	module := fstest.MapFS{"a_test.go": source(`package a

func TestPush_ResumesAfterKill()                          {}
func TestHTTPServer_ReadsURLsOfAllKinds()                 {}
func TestOneTwoThreeFourFiveSixSevenEight()               {}
func TestOneTwoThreeFourFiveSixSevenEightNine()           {}
func TestOneTwo_ThreeFourFiveSixSevenEightNineTen()       {}
func TestOneTwoThree_FourFiveSixSevenEightNineTenEleven() {}
func BenchmarkA_OneTwoThreeFourFiveSixSevenEightNine()    {}
func helperOneTwoThreeFourFiveSixSevenEightNine()         {}
`)}
	long, err := archtest.LongNames(module)
	check(t, err)
	want := []archtest.TestName{
		{File: "a_test.go", Name: "TestOneTwoThreeFourFiveSixSevenEightNine", Words: 9},
		{File: "a_test.go", Name: "TestOneTwoThree_FourFiveSixSevenEightNineTenEleven", Words: 11},
		{File: "a_test.go", Name: "BenchmarkA_OneTwoThreeFourFiveSixSevenEightNine", Words: 10},
	}
	if diff := cmp.Diff(want, long); diff != "" {
		t.Errorf("the long names differ (-want +got):\n%s", diff)
	}
}
