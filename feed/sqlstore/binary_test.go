package sqlstore

import (
	"bytes"
	"strings"
	"testing"
)

// The row that a text was read from is written over by the next one.
func TestTextsInPiecesStayAsTheyWereRead(t *testing.T) {
	var p pieces
	var got, want []string
	row := make([]byte, 2*pieceSize)
	for i, size := range []int{0, 1, 200, pieceSize - 201, 1, pieceSize, 0, 2 * pieceSize, pieceSize + 1, 7} {
		letter := string(rune('a' + i))
		copy(row, bytes.Repeat([]byte(letter), size))
		got, want = append(got, p.add(row[:size])), append(want, strings.Repeat(letter, size))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("text %d, of %d bytes, is one of %d bytes", i, len(want[i]), len(got[i]))
		}
	}
}

func TestTextsInPiecesTakeFewPieces(t *testing.T) {
	text := bytes.Repeat([]byte("x"), 100)
	taken := testing.AllocsPerRun(10, func() {
		var p pieces
		for range pieceSize / len(text) {
			p.add(text)
		}
	})
	if taken > 1 {
		t.Errorf("texts that fill one piece take %v", taken)
	}
}
