package feed

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"
)

// UserID is 1 … 2^63-1, as imported or as in the token's subject. 0 is the anonymous viewer.
type UserID int64

// PostID is 1 … 2^63-1, not ordered by time; 0 is no post. Negative ids are those of [ReplayRef].
type PostID int64

// ParseUserID reads a decimal id. Zero, signs, leading zeros and overflow are [CodeInvalid].
func ParseUserID(s string) (UserID, error) {
	n, err := parseID(s)
	return UserID(n), err
}

// ParsePostID reads a decimal post id, by the rules of [ParseUserID].
func ParsePostID(s string) (PostID, error) {
	n, err := parseID(s)
	return PostID(n), err
}

func parseID(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || s[0] == '+' || s[0] == '0' {
		return 0, Errorf(CodeInvalid, "%.40q is not an id: a whole number from 1 to %d without leading zeros", s, int64(math.MaxInt64))
	}
	return n, nil
}

func (id UserID) String() string { return strconv.FormatInt(int64(id), 10) }

func (id PostID) String() string { return strconv.FormatInt(int64(id), 10) }

// ReplayRef returns the id under which the replay of a session is fanned out: the negated id.
func ReplayRef(session int64) PostID { return PostID(-session) }

// Session returns the session of a [ReplayRef]; false for the id of a post.
func (id PostID) Session() (session int64, ok bool) {
	if id >= 0 {
		return 0, false
	}
	return -int64(id), true
}

// idEpoch is 2020-01-01T00:00:00Z in milliseconds. With 41 bits for the time, ids last until 2089.
const idEpoch = 1577836800000

const idRandomBits = 22

// AcceptedAt returns when the post of a key was published, perhaps later than its publish time: the
// time in its id. Ids from elsewhere hold no time; that only distorts a metric.
func (k Key) AcceptedAt(now int64) int64 {
	if made := k.ID>>idRandomBits + idEpoch; made > k.TS && made <= now {
		return made
	}
	return k.TS
}

// NewPostIDs returns a generator of post ids: 41 bits of the clock in milliseconds, then 22 of
// entropy, or crypto/rand if nil. Nearly ascending ids keep the index dense; no code may depend on
// the order. Two of one millisecond collide once in four million; the store refuses the second.
func NewPostIDs(now func() time.Time, entropy io.Reader) func() (PostID, error) {
	if entropy == nil {
		entropy = rand.Reader
	}
	return func() (PostID, error) {
		var b [4]byte
		if _, err := io.ReadFull(entropy, b[:]); err != nil {
			return 0, fmt.Errorf("draw a post id: %w", err)
		}
		low := int64(binary.BigEndian.Uint32(b[:]) >> (32 - idRandomBits))
		high := (now().UnixMilli() - idEpoch) & (1<<41 - 1)
		return PostID(max(1, high<<idRandomBits|low)), nil
	}
}
