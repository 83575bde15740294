package sqlstore

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// Lists of keys and of users arrive in two wire formats, and from SQLite in a third.
func TestLists_ScanInEveryFormat(t *testing.T) {
	url := testenv.Postgres(t)
	modes := []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeSimpleProtocol}
	var conns []*pgx.Conn
	for _, mode := range modes {
		config, err := pgx.ParseConfig(url)
		if err != nil {
			t.Fatal(err)
		}
		config.DefaultQueryExecMode = mode
		conn, err := pgx.ConnectConfig(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		conns = append(conns, conn)
	}
	text := `SELECT ` + postgres.pairs("e.ts", "e.id") + `, array_agg(e.id) FROM unnest($1::bigint[], $2::bigint[]) AS e(ts, id)`
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Int64Range(0, math.MaxInt64), 0, 5).Draw(t, "times")
		ids := rapid.SliceOfN(rapid.Int64Range(0, math.MaxInt64), len(times), len(times)).Draw(t, "ids")
		want, users := keyList{}, userList{}
		for i := range times {
			want, users = append(want, feed.Key{TS: times[i], ID: ids[i]}), append(users, feed.UserID(ids[i]))
		}
		for i, conn := range conns {
			rows, err := conn.Query(context.Background(), text, times, ids)
			var got keyList
			var named userList
			if err == nil {
				err = eachRow(rows, func(row scanner) error { return row.Scan(&got, &named) })
			}
			if diff := cmp.Diff(want, append(keyList{}, got...)) + cmp.Diff(users, append(userList{}, named...)); err != nil || diff != "" {
				t.Fatalf("in mode %v: %v\n%s", modes[i], err, diff)
			}
		}
	})
}

func TestKeyList_ScansSQLiteText(t *testing.T) {
	for text, want := range map[any]keyList{
		nil: {}, "[]": {}, "[[1,2]]": {{TS: 1, ID: 2}}, "[[10,20],[0,9223372036854775807]]": {{TS: 10, ID: 20}, {ID: math.MaxInt64}},
	} {
		var got keyList
		if err := got.Scan(text); err != nil {
			t.Errorf("%v: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v:\n%s", text, diff)
		}
	}
}

func TestLists_RefuseInvalidValues(t *testing.T) {
	var l keyList
	var users userList
	for name, err := range map[string]error{
		"a number":       l.Scan(int64(1)),
		"half of a key":  l.Scan("[[1]]"),
		"a short array":  l.decode([]byte{0, 0, 0, 2, 0}),
		"a short head":   l.decode(make([]byte, arrayHead)),
		"no dimension":   l.decode(make([]byte, arrayHead+2*arrayDimension)),
		"a broken array": l.decode(append([]byte{0, 0, 0, 2}, make([]byte, arrayHead+2*arrayDimension)...)),
		"one dimension":  l.decode(append([]byte{0, 0, 0, 1}, make([]byte, arrayHead+arrayDimension-4)...)),
		"half an array":  l.decode(append([]byte{0, 0, 0, 2}, make([]byte, arrayHead+2*arrayDimension-4+arrayWidth)...)),
		"two dimensions": users.decode(append([]byte{0, 0, 0, 2}, make([]byte, arrayHead+2*arrayDimension-4)...)),
		"half a user":    users.decode(append([]byte{0, 0, 0, 1}, make([]byte, arrayHead+arrayDimension)...)),
	} {
		if err == nil {
			t.Errorf("%s is scanned as a list", name)
		}
	}
}

// The error names the column.
func TestBinaryRow_RefusesWrongTypes(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), testenv.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	scan := func(columns string, dest ...any) error {
		rows, err := conn.Query(t.Context(), "SELECT "+columns)
		if err != nil {
			return err
		}
		return eachRow(rows, func(row scanner) error { return row.Scan(dest...) })
	}
	var small, middle, large int64
	var id feed.UserID
	var word string
	if err := scan("-1::smallint, -2::integer, -3::bigint, 4::bigint, 'five'", &small, &middle, &large, &id, &word); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{int64(-1), int64(-2), int64(-3), feed.UserID(4), "five"}, []any{small, middle, large, id, word}); diff != "" {
		t.Error(diff)
	}
	for name, err := range map[string]error{
		"a column too few":  scan("1, 2", &small),
		"null":              scan("NULL::bigint", &small),
		"text for a number": scan("'six'", &small),
		"a truth":           scan("true", new(bool)),
	} {
		if err == nil {
			t.Errorf("%s is scanned", name)
		}
	}
}

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
