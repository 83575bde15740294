package sqlstore

import (
	"encoding/binary"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"
)

// bigints is the library's codec for arrays of bigint, which sends a list of numbers itself.
// Pages ask for all they read by such lists, and the library takes a piece of memory for each
// number, and lets the text grow: 208 pieces for two hundred numbers, where this takes three.
type bigints struct{ pgtype.Codec }

// useBigints has a connection with these types use it.
func useBigints(types *pgtype.Map) {
	if known, ok := types.TypeForOID(pgtype.Int8ArrayOID); ok {
		types.RegisterType(&pgtype.Type{Codec: bigints{known.Codec}, Name: known.Name, OID: known.OID})
	}
}

// PlanEncode implements [pgtype.Codec].
func (c bigints) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.([]int64); ok && format == pgtype.BinaryFormatCode {
		return sendBigints{}
	}
	return c.Codec.PlanEncode(m, oid, format, value)
}

// sendBigints appends a list of numbers as array_recv of PostgreSQL reads it: the number of
// dimensions, whether there are nulls, and the type of the numbers; of the one dimension how many
// there are and the place of the first; and then each number behind its length.
type sendBigints struct{}

// Encode implements [pgtype.EncodePlan].
func (sendBigints) Encode(value any, buf []byte) ([]byte, error) {
	list, _ := value.([]int64)
	if list == nil {
		return nil, nil
	}
	const head, each = 5 * 4, 4 + 8
	word := binary.BigEndian.AppendUint32
	buf = slices.Grow(buf, head+each*len(list))
	buf = word(word(word(buf, 1), 0), pgtype.Int8OID)
	buf = word(word(buf, uint32(len(list))), 1)
	for _, n := range list {
		buf = binary.BigEndian.AppendUint64(word(buf, 8), uint64(n))
	}
	return buf, nil
}
