package cli

import (
	"bufio"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/connect/mirror/propose"
)

func TestTerminalAsker_AsksUntilAnswered(t *testing.T) {
	var out strings.Builder
	a := &terminalAsker{in: bufio.NewScanner(strings.NewReader("all\n3\n1, 2\nnone\n\npublic\np x\np, f\nfollowers hidden\nreq\n")), out: &out}
	columns := propose.Question{Table: "public.posts", Type: "post", Columns: []propose.ColumnQuestion{{Name: "draft", Values: "false (3 rows)"}, {Name: "visibility", Values: "0 (3 rows)"}}}
	for _, want := range [][]string{{"draft", "visibility"}, nil} {
		names, err := a.Deciding(columns)
		check(t, err)
		if diff := cmp.Diff(want, names); diff != "" {
			t.Error(diff)
		}
	}
	values := propose.ValuesQuestion{Table: "public.posts", Column: "visibility", Values: []propose.ValueRows{{Value: "0", Rows: 8106, Samples: []string{`{"id":7}`}}, {Value: "2", Rows: 1204}}}
	for _, of := range []struct {
		typ  string
		want []propose.Seen
	}{{"post", []propose.Seen{propose.ForAll, propose.ForFollowers}}, {"user", []propose.Seen{propose.ForFollowers, propose.NotSeen}}, {"follow", []propose.Seen{propose.ForFollowers}}} {
		values.Type, values.Values = of.typ, values.Values[:len(of.want)]
		got, err := a.Seen(values)
		check(t, err)
		if diff := cmp.Diff(of.want, got); diff != "" {
			t.Errorf("about a %s: %s", of.typ, diff)
		}
	}
	for _, want := range []string{
		"1. public.posts makes records of type post. Which of these columns decide who sees them?\n    1  draft: false (3 rows)\n    2  visibility: 0 (3 rows)\nnumbers, or none > numbers, or none > numbers, or none > \n2.",
		"3. public.posts.visibility: Who may see the rows with each value?\n   0: 8106 of 9310 rows\n      {\"id\":7}\n   2: 1204 of 9310 rows\n" +
			strings.Repeat("2 answers in this order, public / followers / hidden > ", 4) + "\n4.",
		"follow / requested / no > ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not print %q:\n%s", want, out.String())
		}
	}
	if _, err := a.Seen(values); !errors.Is(err, errNoAnswer) {
		t.Errorf("without an answer the error is %v", err)
	}
}
