package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/tideline-feeds/tideline/connect/mirror/propose"
)

// terminalAsker asks a person. It implements [propose.Asker].
type terminalAsker struct {
	in  *bufio.Scanner
	out io.Writer
	// asked counts the questions.
	asked int
}

// newTerminalAsker returns nil unless a person reads out and can answer. The file is printed elsewhere, so that
// it can be redirected.
func newTerminalAsker(in *os.File, out io.Writer) propose.Asker {
	if !isTerminal(out) || !term.IsTerminal(int(in.Fd())) {
		return nil
	}
	return &terminalAsker{in: bufio.NewScanner(in), out: out}
}

// errNoAnswer ends a proposal whose questions were not answered.
var errNoAnswer = errors.New("the questions were not answered to the end; run it again, or print the questions into the file: tideline mirror init < /dev/null")

// ask prints a question until accept takes the answer.
func (a *terminalAsker) ask(question, prompt string, accept func(answer string) bool) error {
	a.asked++
	_, _ = fmt.Fprintf(a.out, "\n%d. %s\n", a.asked, question)
	for {
		_, _ = fmt.Fprintf(a.out, "%s > ", prompt)
		if !a.in.Scan() {
			_, _ = fmt.Fprintln(a.out)
			return errNoAnswer
		}
		if accept(strings.ToLower(strings.TrimSpace(a.in.Text()))) {
			return nil
		}
	}
}

// Deciding implements [propose.Asker].
func (a *terminalAsker) Deciding(q propose.Question) (names []string, err error) {
	var text strings.Builder
	fmt.Fprintf(&text, "%s makes records of type %s. Which of these columns decide who sees them?", q.Table, q.Type)
	for i, c := range q.Columns {
		fmt.Fprintf(&text, "\n   %2d  %s: %s", i+1, c.Name, c.Values)
	}
	err = a.ask(text.String(), "numbers, or none", func(answer string) bool {
		names = nil
		if answer == "none" {
			return true
		}
		for _, word := range fieldsOf(answer) {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 || n > len(q.Columns) {
				return false
			}
			names = append(names, q.Columns[n-1].Name)
		}
		return names != nil
	})
	return names, err
}

// Seen implements [propose.Asker].
func (a *terminalAsker) Seen(q propose.ValuesQuestion) (seen []propose.Seen, err error) {
	question, answers := "Who may see the rows with each value?", []string{"public", "followers", "hidden"}
	switch q.Type {
	case "user":
		question = "Who may see the posts of the users with each value? Their followers only makes them private accounts."
	case "follow":
		question, answers = "Do those with each value follow, is that only requested, or neither?", []string{"follow", "requested", "no"}
	}
	of := 0
	for _, v := range q.Values {
		of += v.Rows
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s.%s: %s", q.Table, q.Column, question)
	for _, v := range q.Values {
		fmt.Fprintf(&text, "\n   %s: %d of %d rows", v.Value, v.Rows, of)
		for _, row := range v.Samples {
			text.WriteString("\n      " + row)
		}
	}
	prompt := strings.Join(answers, " / ")
	if len(q.Values) > 1 {
		prompt = fmt.Sprintf("%d answers in this order, %s", len(q.Values), prompt)
	}
	err = a.ask(text.String(), prompt, func(answer string) bool {
		seen = nil
		for _, word := range fieldsOf(answer) {
			i := slices.IndexFunc(answers, func(of string) bool { return strings.HasPrefix(of, word) })
			if i < 0 {
				return false
			}
			seen = append(seen, propose.Seen(i))
		}
		return len(seen) == len(q.Values)
	})
	return seen, err
}

// fieldsOf returns the words of an answer, between blanks or commas.
func fieldsOf(answer string) []string {
	return strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == ',' })
}
