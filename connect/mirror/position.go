package mirror

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pglogrepl"
)

// position is a place in the changes of a source. With a count, it is after so many changes of the
// transaction that commits at lsn. Without, everything that was committed before lsn is applied.
type position struct{ lsn, count uint64 }

// String returns the position as it is stored: two decimal numbers, which grow.
func (p position) String() string { return fmt.Sprintf("%d-%d", p.lsn, p.count) }

func parsePosition(text string) (p position, err error) {
	lsn, count, _ := strings.Cut(text, "-")
	count, _, _ = strings.Cut(count, "-") // a third number is that of a snapshot
	if p.lsn, err = strconv.ParseUint(lsn, 10, 64); err == nil {
		p.count, err = strconv.ParseUint(count, 10, 64)
	}
	if err != nil {
		err = fmt.Errorf("the stored position %q is none of a mirror; run the mirror under another --name", text)
	}
	return p, err
}

func (p position) place() pglogrepl.LSN { return pglogrepl.LSN(p.lsn) }
