package feed

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// CommitPlace is a place in the order of commits of the source of truth. Places of different epochs
// have no order.
type CommitPlace struct{ Epoch, Number int64 }

// Commits names places in the order of commits. It is part of the source of truth.
type Commits interface {
	// LastCommit returns a place that is not below those it has returned before, unless the epoch
	// has changed or commits were lost. It includes all commits that were acknowledged before the
	// call, so a store whose place is not lower in the same epoch has them.
	LastCommit(ctx context.Context) (CommitPlace, error)
}

// A token begins like a cursor with a byte each of version and kind. Then come epoch and number,
// eight bytes each, big-endian.
const (
	commitVersion = 1
	commitSize    = 2 + 2*8
)

// String returns the place as a token for clients.
func (p CommitPlace) String() string {
	b := append(make([]byte, 0, commitSize), commitVersion, byte(FeedCommit))
	b = binary.BigEndian.AppendUint64(b, uint64(p.Epoch))
	b = binary.BigEndian.AppendUint64(b, uint64(p.Number))
	return base64.RawURLEncoding.EncodeToString(b)
}

func parseCommitPlace(text string) (CommitPlace, bool) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(b) != commitSize {
		return CommitPlace{}, false
	}
	p := CommitPlace{int64(binary.BigEndian.Uint64(b[2:])), int64(binary.BigEndian.Uint64(b[10:]))}
	// Decoding ignores line breaks and stray bits; encoding again detects them.
	return p, p.String() == text && p.Epoch >= 0 && p.Number >= 0
}

// AtLeast is what a read must reflect.
type AtLeast struct {
	Commits []CommitPlace
	// Sources are positions without identity.
	Sources []SourcePosition
}

// atLeastMax limits the positions of one read: each source takes a statement.
const atLeastMax = 16

// ParseAtLeast reads positions that are separated by commas: tokens, or source/partition:position.
// It returns [CodeBadInput] for other texts.
func ParseAtLeast(text string) (AtLeast, error) {
	var need AtLeast
	parts := strings.Split(text, ",")
	if len(parts) > atLeastMax {
		return AtLeast{}, Errorf(CodeBadInput, "a read can wait for at most %d positions", atLeastMax)
	}
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if place, ok := parseCommitPlace(part); ok {
			need.Commits = append(need.Commits, place)
			continue
		}
		source, rest, named := strings.Cut(part, "/")
		colon := strings.LastIndexByte(rest, ':')
		position := decimalLSN(rest[colon+1:])
		if !named || source == "" || colon < 0 || !isPosition(position) {
			return AtLeast{}, Errorf(CodeBadInput, "%.100q is neither a token of POST /ingest nor of the form source/partition:offset", part)
		}
		need.Sources = append(need.Sources, SourcePosition{Source: source, Partition: rest[:colon], Position: position})
	}
	return need, nil
}

// decimalLSN returns an LSN of PostgreSQL, such as 0/16B3748, as the positions of mirrors have it. It
// returns other texts as they are.
func decimalLSN(text string) string {
	high, low, is := strings.Cut(text, "/")
	h, errHigh := strconv.ParseUint(high, 16, 32)
	l, errLow := strconv.ParseUint(low, 16, 32)
	if !is || errHigh != nil || errLow != nil {
		return text
	}
	return strconv.FormatUint(h<<32|l, 10)
}

// ReachedBy reports whether position, of the same source and partition, is not before p. p may have
// fewer numbers, such as a Kafka offset without its leader epoch.
func (p SourcePosition) ReachedBy(position string) bool {
	have, want := positionNumbers(position), positionNumbers(p.Position)
	if have == nil || len(have) < len(want) {
		return false
	}
	return slices.CompareFunc(have, want, cmp.Compare[uint64]) >= 0
}

func isPosition(text string) bool { return positionNumbers(text) != nil }

// positionNumbers returns the numbers of a position: decimal ones that a hyphen separates, such as
// an offset or the id of an entry of a Redis stream. It returns nil for another text.
func positionNumbers(text string) []uint64 {
	parts := strings.Split(text, "-")
	numbers := make([]uint64, len(parts))
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil {
			return nil
		}
		numbers[i] = n
	}
	return numbers
}

type freshKey struct{}

// WithFreshReads returns a context for reads that show everything that was committed before. They
// read past the shared caches of the process, and home feeds pull authors whose fan-outs are not
// done.
func WithFreshReads(ctx context.Context) context.Context {
	return context.WithValue(ctx, freshKey{}, true)
}

// ReadsFresh reports whether reads with the context are as [WithFreshReads] says.
func ReadsFresh(ctx context.Context) bool { return ctx.Value(freshKey{}) != nil }
