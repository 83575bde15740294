package mirror_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/internal/mirror"
)

// Each expression returns true of a value that PostgreSQL writes.
func TestValues_HaveTheirTypes(t *testing.T) {
	s := newSource(t, `
		CREATE TYPE mood AS ENUM ('sad', 'Überglücklich');
		CREATE DOMAIN positive AS bigint CHECK (VALUE > 0);
		CREATE DOMAIN several AS positive[];
		CREATE TABLE v (id int);
		SET timezone TO 'Asia/Kathmandu';`)
	for _, c := range []struct{ column, value, holds string }{
		{"boolean", "true", `row.v == true`},
		{"boolean", "false", `!row.v`},
		{"smallint", "-32768", `row.v == -32768`},
		{"bigint", "9223372036854775807", `row.v == 9223372036854775807`},
		{"positive", "7", `row.v + 1 == 8`},
		{"numeric", "12345678901234567890", `row.v == 12345678901234567890u`},
		{"numeric(20,0)", "7", `row.v == 7`},
		{"numeric", "123456789012345678901234567890", `row.v == "123456789012345678901234567890"`},
		{"numeric(6,2)", "1.5", `row.v == "1.50"`},
		{"numeric", "'NaN'", `row.v == "NaN"`},
		{"real", "1.5", `row.v == 1.5`},
		{"double precision", "-1e300", `row.v == -1e300`},
		{"double precision", "'-Infinity'", `row.v < -1e308`},
		{"text", "''", `row.v == ""`},
		{"text", "NULL", `row.v == null`},
		{"varchar(9)", "E'a\\\\b\\n\"é'", `row.v == "a\\b\n\"é"`},
		{"char(3)", "'a'", `row.v == "a  "`},
		{"mood", "'Überglücklich'", `row.v == "Überglücklich"`},
		{"uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", `row.v == "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`},
		{"date", "'2026-01-02'", `row.v == "2026-01-02"`},
		{"bytea", `'\x00ff'`, `row.v == "\\x00ff"`},
		{"inet", "'10.0.0.1/8'", `row.v == "10.0.0.1/8"`},
		{"timestamptz", "'2026-07-01 12:00:00.123456+00'", `row.v == timestamp("2026-07-01T12:00:00.123456Z")`},
		{"timestamptz", "'1900-01-01 00:00:00+00'", `row.v == millis(1)`}, // +05:41:16
		{"timestamptz", "'1970-01-01 00:00:00.001+00'", `row.v == millis(1)`},
		{"timestamptz", "'1970-01-01 00:00:00.002+00'", `row.v == millis(2)`},
		{"timestamptz", "'infinity'", `row.v == null`},
		{"timestamptz", "'-infinity'", `row.v == millis(1)`},
		{"timestamptz", "'0044-03-15 00:00:00+00 BC'", `row.v == millis(1)`},
		{"timestamptz", "'9999-12-31 12:00:00+00'", `row.v == timestamp("9999-12-31T12:00:00Z")`},
		{"timestamptz[]", "'{infinity,-infinity,10000-01-01}'", `row.v == [null, millis(1), null]`},
		{"timestamp", "'2026-07-01 12:00:00'", `row.v == timestamp("2026-07-01T10:00:00Z")`},
		{"timestamp(0)", "'2026-01-01 12:00:00'", `row.v == timestamp("2026-01-01T11:00:00Z")`},
		{"timestamp", "'10000-01-01 00:00:00'", `row.v == null`},
		{"timestamp", "'-infinity'", `row.v == millis(1)`},
		{"timestamp[]", "'{2026-07-01 12:00:00}'", `row.v[0] == timestamp("2026-07-01T10:00:00Z")`},
		{"jsonb", `'{"a": [1, 9223372036854775807, 1.50, null, "\u00e9"]}'`, `row.v.a == [1, 9223372036854775807, 1.5, null, "é"]`},
		{"json", `'"x"'`, `row.v == "x"`},
		{"jsonb", `'null'`, `row.v == null`},
		{"jsonb[]", `ARRAY['{"a": "\\ \""}'::jsonb]`, `row.v[0].a == "\\ \""`},
		{"int[]", "'{1,NULL,3}'", `row.v == [1, null, 3]`},
		{"int[]", "'[2:3]={1,2}'", `row.v == [1, 2]`},
		{"int[]", "'{{1,2},{3,4}}'", `row.v == [[1, 2], [3, 4]]`},
		{"int[]", "'{}'", `row.v == []`},
		{"text[]", `ARRAY['a,b', 'NULL', NULL, '"\{', '', ' é']`, `row.v == ["a,b", "NULL", null, "\"\\{", "", " é"]`},
		{"mood[]", "'{sad}'", `row.v == ["sad"]`},
		{"several", "'{1,2}'", `row.v == [1, 2]`},
		{"point", "'(1,2)'", `row.v == "(1,2)"`},
		{"int4range", "'[1,3)'", `row.v == "[1,3)"`},
	} {
		t.Run(c.column+" "+c.value, func(t *testing.T) {
			s.exec(`DROP TABLE v; CREATE TABLE v (v ` + c.column + `); INSERT INTO v VALUES (` + c.value + `)`)
			m := s.mapper("zone: Europe/Berlin\ninputs:\n  public.v:\n    - {type: user, when: '" + c.holds + "', fields: {id: x, createdAt: y}}")
			table := m.Tables()[0]
			got := lines(m, mirror.RowChange{Table: table, New: s.rows(table, "ctid")[0]})
			if got != `{"type":"user","id":"x","createdAt":"y"}` {
				t.Errorf("%s is not true: %s", c.holds, got)
			}
		})
	}
}
