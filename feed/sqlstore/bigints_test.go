package sqlstore

import (
	"bytes"
	"math"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
)

func TestBigints_EncodesLikePgx(t *testing.T) {
	for _, list := range [][]int64{nil, {}, {0}, {1, -1, math.MaxInt64, math.MinInt64}, make([]int64, 1000)} {
		library := pgtype.NewMap()
		want, err := library.Encode(pgtype.Int8ArrayOID, pgtype.BinaryFormatCode, list, []byte("before"))
		if err != nil {
			t.Fatal(err)
		}
		types := pgtype.NewMap()
		useBigints(types)
		if _, ours := types.PlanEncode(pgtype.Int8ArrayOID, pgtype.BinaryFormatCode, list).(sendBigints); !ours {
			t.Fatal("pgx encodes it")
		}
		got, err := types.Encode(pgtype.Int8ArrayOID, pgtype.BinaryFormatCode, list, []byte("before"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d numbers are encoded as %x, by pgx as %x, %v", len(list), got, want, err)
		}
	}
}

func TestBigints_LeavesOtherValuesToPgx(t *testing.T) {
	m := pgtype.NewMap()
	known, _ := m.TypeForOID(pgtype.Int8ArrayOID)
	for _, c := range []struct {
		format int16
		value  any
	}{{pgtype.TextFormatCode, []int64{1}}, {pgtype.BinaryFormatCode, pgtype.FlatArray[int32]{1}}} {
		plan := bigints{known.Codec}.PlanEncode(m, pgtype.Int8ArrayOID, c.format, c.value)
		if _, ours := plan.(sendBigints); ours {
			t.Errorf("a %T in format %d is not left to pgx", c.value, c.format)
		}
	}
}
