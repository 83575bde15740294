package sqlstore

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// list is what an array is read into: as text, or in binary.
type list interface {
	parse(text []byte) error
	decode(v []byte) error
}

// keyList scans what [dialect.pairs] makes of times and ids.
type keyList []feed.Key

var (
	_ sql.Scanner = (*keyList)(nil)
	_ list        = (*keyList)(nil)
	_ list        = (*userList)(nil)
)

// Scan implements [sql.Scanner], for a driver that returns texts.
func (l *keyList) Scan(value any) error { return scanList(l, value) }

// scanList reads what a driver returns that returns texts.
func scanList(l list, value any) error {
	switch v := value.(type) {
	case nil:
		return l.parse(nil)
	case string:
		return l.parse([]byte(v))
	case []byte:
		return l.parse(v)
	}
	return fmt.Errorf("a %T is no list", value)
}

var errNoList = errors.New("the value is not a list of keys or users")

// parse reads the list as text: [[1,2],[3,4]] as SQLite writes it, or {{1,2},{3,4}} as
// PostgreSQL does.
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

// numbersIn returns the numbers of a text, which are not negative. What stands between them
// does not matter.
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

// How an array begins on PostgreSQL's wire: how many dimensions it has, whether it has nulls,
// the type of its elements, and for each dimension how long it is and where it begins. Behind
// that comes each element after its length.
const (
	arrayHead      = 4 + 4 + 4
	arrayDimension = 4 + 4
	arrayWidth     = 4 + 8
)

// decodeArray decodes an array of numbers, or, in two dimensions, of pairs of them. of decodes
// one element. Null is an empty list.
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

// decode reads the list as PostgreSQL sends it in binary.
func (l *keyList) decode(v []byte) (err error) {
	*l, err = decodeArray(v, 2, func(v []byte) feed.Key {
		return feed.Key{TS: int64(binary.BigEndian.Uint64(v[4:])), ID: int64(binary.BigEndian.Uint64(v[arrayWidth+4:]))}
	})
	return err
}

// userList scans an array of ids, as PostgreSQL sends it.
type userList []feed.UserID

// parse reads the list as text. Any numbers are ids.
func (l *userList) parse(text []byte) error {
	*l = mapped(numbersIn(text), func(id int64) feed.UserID { return feed.UserID(id) })
	return nil
}

// decode reads the list in binary.
func (l *userList) decode(v []byte) (err error) {
	*l, err = decodeArray(v, 1, func(v []byte) feed.UserID { return feed.UserID(binary.BigEndian.Uint64(v[4:])) })
	return err
}
