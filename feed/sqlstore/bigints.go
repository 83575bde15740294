package sqlstore

import (
	"encoding/binary"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"
)

// bigints is pgx's codec for arrays of bigint, with its own encoder for []int64. For two hundred
// numbers pgx makes 208 allocations, and this encoder three.
type bigints struct{ pgtype.Codec }

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

// sendBigints encodes a list for PostgreSQL's array_recv: the number of dimensions, whether there
// are nulls, and the element type; the length and the lower bound of the dimension; then each
// number after its length.
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
