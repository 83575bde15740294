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
	a := &terminalAsker{in: bufio.NewScanner(strings.NewReader("all\n3\n1, 2\nnone\n\nx\np\nfollowers\nreq\n")), out: &out}
	columns := propose.Question{Table: "public.posts", Type: "post", Columns: []propose.ColumnQuestion{{Name: "draft", Values: "false (3 rows)"}, {Name: "visibility", Values: "0 (3 rows)"}}}
	for _, want := range [][]string{{"draft", "visibility"}, nil} {
		names, err := a.Deciding(columns)
		check(t, err)
		if diff := cmp.Diff(want, names); diff != "" {
			t.Error(diff)
		}
	}
	value := propose.ValueQuestion{Table: "public.posts", Type: "post", Column: "visibility", Value: "2", Rows: 1204, Of: 9310, Samples: []string{`{"id":7}`}}
	for _, of := range []struct {
		typ  string
		want propose.Seen
	}{{"post", propose.ForAll}, {"user", propose.ForFollowers}, {"follow", propose.ForFollowers}} {
		value.Type = of.typ
		if seen, err := a.Seen(value); err != nil || seen != of.want {
			t.Errorf("the answer about a %s is %d, %v", of.typ, seen, err)
		}
	}
	for _, want := range []string{
		"1. public.posts makes records of type post. Which of these columns decide who sees them?\n    1  draft: false (3 rows)\n    2  visibility: 0 (3 rows)\nnumbers, or none > numbers, or none > numbers, or none > \n2.",
		"3. public.posts.visibility = 2: 1204 of 9310 rows.\n    {\"id\":7}\n   Who may see them?\npublic / followers / hidden > public / followers / hidden > public / followers / hidden > \n4.",
		"follow / requested / no > ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not print %q:\n%s", want, out.String())
		}
	}
	if _, err := a.Seen(value); !errors.Is(err, errNoAnswer) {
		t.Errorf("without an answer the error is %v", err)
	}
}
