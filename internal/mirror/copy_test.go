package mirror

import (
	"testing"
)

func TestCopyWriter_ReadsAnyParts(t *testing.T) {
	text := []byte("1\t\\N\ta\\tb\\\\N\\n\n2\t\t\\b\\f\\r\\v\\x\n")
	want := []string{"1,null,a\tb\\N\n", "2,,\b\f\r\vx"}
	for size := 1; size <= len(text); size++ {
		var got []string
		w := &copyWriter{columns: 3}
		w.row = func(cells []Cell) error { got = append(got, cellsText(cells)); return nil }
		for from := 0; from < len(text); from += size {
			part := text[from:min(from+size, len(text))]
			if n, err := w.Write(append([]byte(nil), part...)); n != len(part) || err != nil {
				t.Fatalf("writing %q returns %d, %v", part, n, err)
			}
		}
		if len(got) != 2 || got[0] != want[0] || got[1] != want[1] || w.rows != 2 {
			t.Errorf("in parts of %d bytes: %q", size, got)
		}
	}
	if _, err := (&copyWriter{columns: 2, row: func([]Cell) error { return nil }}).Write([]byte("1\t2\t3\n")); err == nil {
		t.Error("a row with a further column is accepted")
	}
}
