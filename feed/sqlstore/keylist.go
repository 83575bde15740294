package sqlstore

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// list is the target of an array, in text or binary format.
type list interface {
	parse(text []byte) error
	decode(v []byte) error
}

// keyList scans times and ids from [dialect.pairs].
type keyList []feed.Key

var (
	_ sql.Scanner = (*keyList)(nil)
	_ list        = (*keyList)(nil)
	_ list        = (*userList)(nil)
)

// Scan implements [sql.Scanner].
func (l *keyList) Scan(value any) error { return scanList(l, value) }

// scanList scans a list from a driver that returns texts.
func scanList(l list, value any) error {
	switch v := value.(type) {
	case nil:
		return l.parse(nil)
	case string:
		return l.parse([]byte(v))
	case []byte:
		return l.parse(v)
	}
	return fmt.Errorf("cannot scan a %T as a list", value)
}

var errNoList = errors.New("the value is not a list of keys or users")

// parse reads the text format: [[1,2],[3,4]] from SQLite, or {{1,2},{3,4}} from PostgreSQL.
func (l *keyList) parse(text []byte) error {
	numbers := numbersIn(text)
	if len(numbers)%2 != 0 {
		return errNoList
	}
	*l = make(keyList, 0, len(numbers)/2)
	for i := 0; i < len(numbers); i += 2 {
		*l = append(*l, feed.Key{TS: numbers[i], ID: numbers[i+1]})
	}
	return nil
}

// numbersIn returns the numbers in a text, none of which is negative.
func numbersIn(text []byte) []int64 {
	var numbers []int64
	digit := false
	for _, c := range text {
		if c < '0' || c > '9' {
			digit = false
			continue
		}
		if !digit {
			numbers, digit = append(numbers, 0), true
		}
		last := &numbers[len(numbers)-1]
		*last = *last*10 + int64(c-'0')
	}
	return numbers
}

// The head of an array in PostgreSQL's wire format: the number of dimensions, a flag for nulls and
// the element type; then the length and lower bound of each dimension. After it comes each element
// after its length.
const (
	arrayHead      = 4 + 4 + 4
	arrayDimension = 4 + 4
	arrayWidth     = 4 + 8
)

// decodeArray decodes an array of numbers, or in two dimensions of pairs of numbers. of decodes one
// element. Null is an empty list.
func decodeArray[T any](v []byte, dimensions int, of func([]byte) T) ([]T, error) {
	head, width := arrayHead+dimensions*arrayDimension, dimensions*arrayWidth
	switch {
	case len(v) == 0:
		return nil, nil
	case len(v) < head || binary.BigEndian.Uint32(v) != uint32(dimensions) || (len(v)-head)%width != 0:
		return nil, errNoList
	}
	out := make([]T, 0, (len(v)-head)/width)
	for v = v[head:]; len(v) > 0; v = v[width:] {
		out = append(out, of(v))
	}
	return out, nil
}

// decode reads the binary format.
func (l *keyList) decode(v []byte) (err error) {
	*l, err = decodeArray(v, 2, func(v []byte) feed.Key {
		return feed.Key{TS: int64(binary.BigEndian.Uint64(v[4:])), ID: int64(binary.BigEndian.Uint64(v[arrayWidth+4:]))}
	})
	return err
}

// userList scans an array of user ids.
type userList []feed.UserID

// parse reads the text format.
func (l *userList) parse(text []byte) error {
	*l = mapped(numbersIn(text), func(id int64) feed.UserID { return feed.UserID(id) })
	return nil
}

// decode reads the binary format.
func (l *userList) decode(v []byte) (err error) {
	*l, err = decodeArray(v, 1, func(v []byte) feed.UserID { return feed.UserID(binary.BigEndian.Uint64(v[4:])) })
	return err
}
