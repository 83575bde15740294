package records_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed/records"
)

// packed returns the texts as gzip, one member each.
func packed(t *testing.T, texts ...string) string {
	t.Helper()
	var out bytes.Buffer
	for _, text := range texts {
		w := gzip.NewWriter(&out)
		_, err := io.WriteString(w, text)
		check(t, errors.Join(err, w.Close()))
	}
	return out.String()
}

// read imports a file, and returns the stored lines and the messages about others.
func read(t *testing.T, in io.Reader) (stored []int, messages []string, sum records.Summary, err error) {
	t.Helper()
	to := &sink{}
	name := func(line int, what string) { messages = append(messages, fmt.Sprintf("%d: %s", line, what)) }
	sum, err = records.Import(t.Context(), in, to, records.Options{Refused: name, Noted: name})
	for _, batch := range to.batches {
		for _, r := range batch {
			stored = append(stored, r.Line)
		}
	}
	return stored, messages, sum, err
}

func TestImport_ReadsEveryFileFormat(t *testing.T) {
	const mark = "\ufeff"
	one, two := follow(1), follow(2)
	for name, in := range map[string]string{
		"LF":                      one + "\n" + two + "\n",
		"no LF at the end":        one + "\n" + two,
		"CRLF":                    one + "\r\n" + two + "\r\n",
		"CR":                      one + "\r" + two + "\r",
		"CR and no end":           one + "\r" + two,
		"a byte order mark":       mark + one + "\n" + two + "\n",
		"two byte order marks":    mark + one + "\n" + mark + two + "\n",
		"spaces":                  " \t" + one + "\t \n " + two,
		"gzip":                    packed(t, one+"\n"+two+"\n"),
		"gzip in several members": packed(t, one, "\n", "", mark+two+"\n"),
		"gzip of CRLF":            packed(t, one+"\r\n"+two),
	} {
		for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in)), iotest.DataErrReader(strings.NewReader(in))} {
			stored, messages, sum, err := read(t, r)
			if diff := cmp.Diff([]int{1, 2}, stored); diff != "" || err != nil || sum.Lines != 2 {
				t.Errorf("%s: %v, error %v, summary %+v, messages %v", name, diff, err, sum, messages)
			}
			if marks := strings.Count(in, mark); marks > 0 && len(messages) != marks {
				t.Errorf("%s: messages %v", name, messages)
			}
		}
	}
}

func TestImport_NamesSkippedLines(t *testing.T) {
	_, messages, sum, err := read(t, strings.NewReader("\ufeff\n"+follow(1)+"\n\n \t\n"))
	want := []string{"1: a byte order mark is ignored", "1: a blank line is skipped", "3: a blank line is skipped", "4: a blank line is skipped"}
	if diff := cmp.Diff(want, messages); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if want := (records.Summary{Lines: 4, Stored: 1, Skipped: 3}); sum != want {
		t.Errorf("the summary is %+v, want %+v", sum, want)
	}
}

func TestImport_NamesForeignFiles(t *testing.T) {
	for in, want := range map[string]string{
		"\xff\xfe{\x00":            "UTF-16 (little endian)",
		"\xfe\xff\x00{":            "UTF-16 (big endian)",
		"{\x00\"\x00":              "UTF-16 (little endian)",
		"\x00{\x00\"":              "UTF-16 (big endian)",
		"\xff\xfe\x00\x00{":        "UTF-32 (little endian)",
		"\x00\x00\xfe\xff\x00":     "UTF-32 (big endian)",
		"\x28\xb5\x2f\xfd\x04":     "zstd",
		"BZh91AY":                  "bzip2",
		"\xfd7zXZ\x00":             "xz",
		"PK\x03\x04":               "zip",
		packed(t, "\xff\xfe1\x00"): "UTF-16 (little endian)",
	} {
		if _, _, _, err := read(t, strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want one that names %s", in, err, want)
		}
	}
}

func TestImport_NamesDamagedGzip(t *testing.T) {
	whole := packed(t, follow(1)+"\n"+follow(2)+"\n")
	for name, in := range map[string]string{"cut": whole[:len(whole)-9], "trailing rubbish": whole + "rubbish", "only the magic": whole[:2]} {
		if _, _, _, err := read(t, strings.NewReader(in)); err == nil {
			t.Errorf("%s: there is no error", name)
		}
	}
}

func TestSummary_ReportsAllBad(t *testing.T) {
	for in, want := range map[string]bool{
		"":                                    false,
		"\n\n":                                false,
		"x":                                   true,
		"x\n\n" + follow(13):                  true,
		"x\n" + follow(1):                     false,
		"{}{}\n" + strings.Repeat("x", 5<<20): true,
	} {
		_, _, sum, err := read(t, strings.NewReader(in))
		if err != nil || sum.AllBad() != want {
			t.Errorf("%.20q: %+v, error %v, want %v", in, sum, err, want)
		}
	}
}

func TestDecode_NeverAltersText(t *testing.T) {
	post := func(text string) string {
		return `{"type":"post","id":"7","author":"1","kind":"POST","text":"` + text + `","publishedAt":"2010-11-12T12:05:02Z"}`
	}
	for text, want := range map[string]string{
		"a\xffb":             "byte 61 (0xff) is not valid UTF-8",
		"\xc0\x80":           "is not valid UTF-8",
		"\xed\xa0\x80":       "is not valid UTF-8", // A surrogate in UTF-8.
		`a\ud800b`:           `byte 61: the escape \ud800 is one half of a surrogate pair`,
		`\uDC00`:             `the escape \uDC00 is one half`,
		`\udbff\u0041`:       `the escape \udbff is one half`,
		`\ud83d\ud83d\ude00`: `the escape \ud83d is one half`,
		`\ude00\ud83d`:       `the escape \ude00 is one half`,
		`\ud83d\\ude00`:      `the escape \ud83d is one half`,
		`\\\ud800`:           `the escape \ud800 is one half`,
		`a","text":"b`:       `duplicate field "text"`,
		`a","Text":"b`:       `duplicate field "Text"`,
	} {
		if got, err := numbers.Decode([]byte(post(text))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %+v and the error %v, want %s", text, got.Post, err, want)
		}
	}
	for text, want := range map[string]string{
		`\ud83d\ude00`: "😀", `\\ud800`: `\ud800`, "\ufffd": "\ufffd", `\ufffd`: "\ufffd", `\u00e9`: "é", `\\\u0041\"`: `\A"`,
	} {
		if got, err := numbers.Decode([]byte(post(text))); err != nil || got.Post.Text != want {
			t.Errorf("%q: got %+v, error %v", text, got.Post, err)
		}
	}
}

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
