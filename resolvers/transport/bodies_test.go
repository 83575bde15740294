package transport

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// reading is bodies, and how many of them were parsed.
type reading struct {
	bodies
	parsed int
}

func (r *reading) says(t *testing.T, text string) requestBody {
	t.Helper()
	b, err := r.read([]byte(text), func(text []byte) (requestBody, error) {
		r.parsed++
		return parseBody(text)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A body is parsed when it comes and when it comes again, and is known from then on. It says
// the same whether it is known or not.
func TestABodyThatComesAgainIsKnown(t *testing.T) {
	r := &reading{bodies: newBodies()}
	const text = `{"query":"query Q($n: Int) { a }","operationName":"Q","variables":{"n":12345678901234567890,"s":"x","b":true,"z":null},"extensions":{"x":"y"}}`
	first := r.says(t, text)
	for range 4 {
		if diff := cmp.Diff(first, r.says(t, text)); diff != "" {
			t.Errorf("it says something else (-first +then):\n%s", diff)
		}
	}
	if r.parsed != 2 {
		t.Errorf("it was parsed %d times", r.parsed)
	}
}

// What differs in a byte is another body.
func TestAnotherBodyIsNotKnown(t *testing.T) {
	r := &reading{bodies: newBodies()}
	for i := range 10 {
		for range 3 {
			if got := r.says(t, fmt.Sprintf(`{"query":"{ a%d }"}`, i)); got.Query != fmt.Sprintf("{ a%d }", i) {
				t.Errorf("body %d says %q", i, got.Query)
			}
		}
	}
}

// A body in a buffer that is used again is known by what it was.
func TestAKnownBodyIsACopy(t *testing.T) {
	r := &reading{bodies: newBodies()}
	buffer := []byte(`{"query":"{ a }"}`)
	for range 2 {
		if _, err := r.read(buffer, parseBody); err != nil {
			t.Fatal(err)
		}
	}
	copy(buffer, `{"query":"{ b }"}`)
	if got := r.says(t, string(buffer)); got.Query != "{ b }" {
		t.Errorf("the second body says %q", got.Query)
	}
	if got := r.says(t, `{"query":"{ a }"}`); got.Query != "{ a }" {
		t.Errorf("the first body says %q", got.Query)
	}
}

// Lists and objects in variables are changed where they stand, so each request has its own.
func TestBodiesWithListsAndObjectsAreNotKnown(t *testing.T) {
	r := &reading{bodies: newBodies()}
	for range 3 {
		r.says(t, `{"query":"{ a }","variables":{"l":[1]}}`)
		r.says(t, `{"query":"{ a }","variables":{"o":{"p":1}}}`)
	}
	if r.parsed != 6 {
		t.Errorf("of six bodies %d were parsed", r.parsed)
	}
}

// What is wrong, or long, is never known.
func TestWrongAndLongBodiesAreNotKnown(t *testing.T) {
	r := &reading{bodies: newBodies()}
	for range 3 {
		if _, err := r.read([]byte(`{"query":`), parseBody); err == nil {
			t.Error("half a body is read")
		}
		r.says(t, `{"query":"`+strings.Repeat(" ", knownBodyMax)+`"}`)
	}
	if r.parsed != 3 {
		t.Errorf("a long body was parsed %d times", r.parsed)
	}
}

// BenchmarkBody reads the body of a page, which is known, and which comes for the first time.
func BenchmarkBody(b *testing.B) {
	text := []byte(`{"query":"query Home($first: Int!) {\n viewer {\n homeFeed(first: $first) {\n edges { cursor node { id text author { id name } } } } } }","variables":{"first":20}}`)
	b.Run("known", func(b *testing.B) {
		known := newBodies()
		b.ReportAllocs()
		for b.Loop() {
			if _, err := known.read(text, parseBody); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parsed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parseBody(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
