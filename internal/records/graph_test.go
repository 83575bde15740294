package records_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/records"
)

// graphOf imports an edge list, and returns the records and messages.
func graphOf(t *testing.T, in string, g records.Graph) (made, messages []string, sum records.Summary) {
	t.Helper()
	to := &sink{}
	name := func(line int, what string) { messages = append(messages, fmt.Sprintf("%d: %s", line, what)) }
	sum, err := records.ImportGraph(t.Context(), strings.NewReader(in), to, records.Options{Refused: name, Noted: name}, g)
	check(t, err)
	for _, batch := range to.batches {
		for _, r := range batch {
			if r.User != nil {
				made = append(made, fmt.Sprint(r.User.ID, " ", r.User.Handle))
				continue
			}
			made = append(made, fmt.Sprint(r.Follow.Follower, "→", r.Follow.Followee))
		}
	}
	return made, messages, sum
}

func TestGraph_EdgesAreMutual(t *testing.T) {
	made, messages, sum := graphOf(t, "from,to\n1,2\n\n2,2\nx,1\n2,3\n", records.Graph{})
	same(t, "the records", made, []string{"1 user1", "2 user2", "1→2", "2→1", "3 user3", "2→3", "3→2"})
	want := []string{
		"1: the header is skipped",
		"3: a blank line is skipped",
		"4: user 2 cannot follow itself",
		`5: an edge is two comma-separated ids, not "x,1"`,
	}
	same(t, "the messages", messages, want)
	if want := (records.Summary{Lines: 6, Stored: 7, Refused: 2, Skipped: 2}); sum != want {
		t.Errorf("the summary is %+v, want %+v", sum, want)
	}
}

func TestGraph_DirectedKeepsEdgesAsWritten(t *testing.T) {
	made, _, _ := graphOf(t, "\"1\",\"2\"\r\n3 , 1", records.Graph{Directed: true})
	same(t, "the records", made, []string{"1 user1", "2 user2", "1→2", "3 user3", "3→1"})
}

func TestGraph_IDOffsetIsAdded(t *testing.T) {
	made, messages, _ := graphOf(t, fmt.Sprintf("0,4\n5,%d\n", int64(math.MaxInt64)), records.Graph{Directed: true, IDOffset: 1})
	same(t, "the records", made, []string{"1 user1", "5 user5", "1→5"})
	if len(messages) != 1 || !strings.HasPrefix(messages[0], "2: 9223372036854775807 with the offset 1 is not an id") {
		t.Error(messages)
	}
	made, messages, _ = graphOf(t, "12,13\n10,12\n", records.Graph{Directed: true, IDOffset: -10})
	if diff := cmp.Diff([]string{"2 user2", "3 user3", "2→3"}, made); diff != "" || len(messages) != 1 {
		t.Error(diff, messages)
	}
}

// A first line with numbers is not a header, whatever is wrong with it.
func TestGraph_NamesBadFirstLine(t *testing.T) {
	for in, want := range map[string]string{
		"0,5":             "1: 0 is not an id; ids begin at 1, and --id-offset 1 adds one to each",
		"-1,5":            `1: an edge is two comma-separated ids, not "-1,5"`,
		"01,5":            `1: an edge is two comma-separated ids, not "01,5"`,
		"1,5,2":           `1: an edge is two comma-separated ids, not "1,5,2"`,
		"1 5":             `1: an edge is two comma-separated ids, not "1 5"`,
		"1.5,x":           `1: an edge is two comma-separated ids, not "1.5,x"`,
		"---,---":         `1: an edge is two comma-separated ids, not "---,---"`,
		"1,\xff":          "1: byte 3 (0xff) is not valid UTF-8",
		"# 1,5":           "1: a comment is skipped",
		"% 1,5":           "1: a comment is skipped",
		"\ufeffid_1,id_2": "1: a byte order mark is ignored, 1: the header is skipped",
	} {
		made, messages, _ := graphOf(t, in, records.Graph{})
		if got := strings.Join(messages, ", "); got != want || len(made) != 0 {
			t.Errorf("%q created %v with the messages %s, want %s", in, made, got, want)
		}
	}
}

func TestGraph_AllowsCommentsBeforeHeader(t *testing.T) {
	made, messages, sum := graphOf(t, "# a graph\nid_1,id_2\n1,2\nid_1,id_2\n", records.Graph{Directed: true})
	if len(made) != 3 || len(messages) != 3 || sum.Skipped != 2 || sum.Refused != 1 {
		t.Errorf("created %v, messages %v, summary %+v", made, messages, sum)
	}
}
