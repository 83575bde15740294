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

// UserID names a user: 1 … 2^63-1, kept as imported or as the token's subject
// says. The zero value is nobody, the anonymous viewer.
type UserID int64

// PostID names a content: 1 … 2^63-1, unique and not time-ordered. The zero
// value names no content.
type PostID int64

// ParseUserID reads a decimal user id. It refuses zero, signs, leading zeros and
// anything above 2^63-1 with [CodeInvalid].
func ParseUserID(s string) (UserID, error) {
	n, err := parseID(s)
	return UserID(n), err
}

// ParsePostID reads a decimal content id, under the rule of [ParseUserID].
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

// String returns the id in decimal, as the API's databaseId shows it.
func (id UserID) String() string { return strconv.FormatInt(int64(id), 10) }

// String returns the id in decimal, as the API's databaseId shows it.
func (id PostID) String() string { return strconv.FormatInt(int64(id), 10) }

// ReplayRef returns the id under which the replay of a session is fanned out: the negated id of
// the session. Ids of posts and of sessions are above zero, and independent of each other.
func ReplayRef(session int64) PostID { return PostID(-session) }

// Session returns the session whose replay is fanned out under an id; false if it is a post's.
func (id PostID) Session() (session int64, ok bool) {
	if id >= 0 {
		return 0, false
	}
	return -int64(id), true
}

// idEpoch is 2020-01-01T00:00:00Z in milliseconds: with 41 bits above 22 random
// ones, ids made from it last until 2089.
const idEpoch = 1577836800000

// idRandomBits is how many of an id's bits are random.
const idRandomBits = 22

// AcceptedAt returns when the content was published, whatever time it was published
// under: the time in its id where that lies between the two. Ids that come from outside
// tell no time, and what they seem to tell changes no more than a figure.
func (p *Post) AcceptedAt(now int64) int64 {
	if made := int64(p.ID)>>idRandomBits + idEpoch; made > p.PublishedAt && made <= now {
		return made
	}
	return p.PublishedAt
}

// NewPostIDs returns a source of fresh content ids. An id is 41 bits of the
// clock's milliseconds above 22 random bits: nearly ascending, which keeps the
// primary key's index dense, and random enough that two processes need not agree
// on anything. Two draws in one millisecond meet with a chance of one in four
// million; the store refuses the second and [publish.Publisher] draws again. Nothing may
// depend on the order of ids. entropy is crypto/rand's reader when nil.
func NewPostIDs(now func() time.Time, entropy io.Reader) func() (PostID, error) {
	if entropy == nil {
		entropy = rand.Reader
	}
	return func() (PostID, error) {
		var b [4]byte
		if _, err := io.ReadFull(entropy, b[:]); err != nil {
			return 0, fmt.Errorf("draw a content id: %w", err)
		}
		low := int64(binary.BigEndian.Uint32(b[:]) >> (32 - idRandomBits))
		high := (now().UnixMilli() - idEpoch) & (1<<41 - 1)
		return PostID(max(1, high<<idRandomBits|low)), nil
	}
}
