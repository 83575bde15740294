package mirror

import (
	"fmt"
	"strings"
)

// nasty is a system with keys of two columns, enums, arrays, documents, quoted and other names,
// partitions of partitions, a table without a key, generated columns, times that no calendar has, and a
// thousand other tables.
func nasty() shape {
	return shape{
		schema: nastySchema, mapping: nastyMap, types: "user,follow,post,mute", settings: []string{"TIDELINE_IDS=text"}, feeds: nastyFeeds, step: nastyStep,
		begin: func(s *system) {
			s.users = 20
			s.exec(`INSERT INTO "Größe ""1"""."Über Leute" SELECT n % 3, md5(n::text)::uuid, jsonb_build_object('name', 'L' || n, 'text', repeat(md5(n::text), 300)),
				('{-infinity,2026-01-01,0044-03-15 BC}'::timestamptz[])[1 + n % 3], 'infinity', '{}' FROM generate_series(1, 20) n`)
		},
	}
}

const nastySchema = `
DO $$ BEGIN FOR n IN 1..1000 LOOP EXECUTE 'CREATE TABLE andere_' || n || ' (n int)'; END LOOP; END $$;
CREATE SCHEMA "Größe ""1""";
SET search_path TO "Größe ""1""";
CREATE TYPE "Art" AS ENUM ('Beitrag', 'Entwurf ''1''', 'folgt', 'stumm');
CREATE DOMAIN nummer AS bigint CHECK (VALUE > 0);
CREATE TABLE "Über Leute" (mandant int, "Kennung" uuid, profil jsonb NOT NULL, seit timestamptz NOT NULL, gesperrt timestamptz NOT NULL DEFAULT 'infinity', gruppen int[] NOT NULL,
  anzeige text GENERATED ALWAYS AS (profil ->> 'name') STORED, PRIMARY KEY (mandant, "Kennung"));
ALTER TABLE "Über Leute" ALTER profil SET STORAGE EXTERNAL;
CREATE TABLE "Beiträge" (raum int, nr nummer, am timestamptz, art "Art" NOT NULL, mandant int NOT NULL, von uuid NOT NULL, "Text/HTML" text NOT NULL, bilder text[], länge int GENERATED ALWAYS AS (length("Text/HTML")) STORED,
  PRIMARY KEY (nr, raum, am)) PARTITION BY LIST (raum);
CREATE TABLE "Raum 1" PARTITION OF "Beiträge" FOR VALUES IN (1);
CREATE TABLE "Raum 2" PARTITION OF "Beiträge" FOR VALUES IN (2) PARTITION BY RANGE (am);
CREATE TABLE "Raum 2 alt" PARTITION OF "Raum 2" FOR VALUES FROM (MINVALUE) TO ('2026-02-02');
CREATE TABLE "Raum 2 neu" ("Text/HTML" text NOT NULL, weg int, raum int NOT NULL, nr nummer NOT NULL, am timestamptz NOT NULL, art "Art" NOT NULL, mandant int NOT NULL, von uuid NOT NULL, bilder text[],
  länge int GENERATED ALWAYS AS (length("Text/HTML")) STORED);
ALTER TABLE "Raum 2 neu" DROP weg;
ALTER TABLE "Raum 2" ATTACH PARTITION "Raum 2 neu" FOR VALUES FROM ('2026-02-02') TO (MAXVALUE);
CREATE TABLE "Rest" PARTITION OF "Beiträge" DEFAULT;
ALTER TABLE "Beiträge" ALTER "Text/HTML" SET STORAGE EXTERNAL;
CREATE TABLE "Ansagen" (schlüssel text PRIMARY KEY, am timestamptz NOT NULL, mandant int NOT NULL, von uuid NOT NULL, rede text NOT NULL, bild text);
ALTER TABLE "Ansagen" ALTER rede SET STORAGE EXTERNAL;
CREATE TABLE folgt ("wer?" text, wen text, art "Art" NOT NULL);`

const nastyMap = `
inputs:
  '"Größe ""1"""."Über Leute"':
    - type: user
      fields:
        id: =string(row.mandant) + "/" + row.Kennung
        name: =row.profil.name
        createdAt: =row.seit
        deletedAt: =row.gesperrt
  '"Größe ""1"""."Beiträge"':
    - type: post
      when: row.art == "Beitrag"
      fields:
        id: =row.nr
        author: =string(row.mandant) + "/" + row.von
        kind: POST
        text: =row["Text/HTML"]
        media: '=row.bilder == null ? [] : row.bilder'
        publishedAt: =row.am
  '"Größe ""1"""."Ansagen"':
    - type: post
      fields: {id: '=row["schlüssel"]', author: =string(row.mandant) + "/" + row.von, kind: POST, text: =row.rede, media: '=row.bild == null ? [] : dyn([row.bild])', publishedAt: =row.am}
  '"Größe ""1""".folgt':
    - type: follow
      when: row.art == "folgt"
      fields: {follower: '=row["wer?"]', followee: =row.wen, createdAt: "2026-01-01T00:00:00Z"}
    - type: mute
      when: row.art == "stumm"
      fields: {user: '=row["wer?"]', target: =row.wen, createdAt: "2026-01-01T00:00:00Z"}
`

const nastyFeeds = `
WITH leute AS (SELECT mandant || '/' || "Kennung" AS id FROM "Größe ""1"""."Über Leute" WHERE gesperrt = 'infinity'),
  beitrag AS (SELECT nr::text, mandant || '/' || von AS von, am FROM "Größe ""1"""."Beiträge" WHERE art = 'Beitrag'
    UNION ALL SELECT schlüssel, mandant || '/' || von, am FROM "Größe ""1"""."Ansagen")
SELECT leute.id, nr FROM leute LEFT JOIN (beitrag JOIN leute schreibt ON schreibt.id = von)
  ON von = leute.id OR EXISTS (SELECT FROM "Größe ""1""".folgt WHERE "wer?" = leute.id AND wen = von AND art = 'folgt')
ORDER BY leute.id, am DESC`

// nastyObjects selects what posts and users have, nastyStored what is stored of it.
const (
	nastyObjects = `
SELECT nr || ' ' || md5("Text/HTML") || ' ' || COALESCE(to_jsonb(bilder), '[]') FROM "Größe ""1"""."Beiträge" WHERE art = 'Beitrag'
UNION ALL SELECT schlüssel || ' ' || md5(rede) || ' ' || CASE WHEN bild IS NULL THEN '[]' ELSE jsonb_build_array(bild) END FROM "Größe ""1"""."Ansagen"
UNION ALL SELECT mandant || '/' || "Kennung" || ' ' || anzeige FROM "Größe ""1"""."Über Leute" WHERE gesperrt = 'infinity'`
	nastyStored = `
SELECT external_id || ' ' || md5(text) || ' ' || media::jsonb FROM contents WHERE deleted_at = 0
UNION ALL SELECT external_id || ' ' || name FROM users WHERE deleted_at = 0 AND absent = 0`
)

// nastyStep runs one random statement.
func nastyStep(s *system) {
	s.t.Helper()
	const post = `"Beiträge"`
	pair := func(statement string) string {
		const user = `(SELECT mandant || '/' || "Kennung" FROM "Über Leute" WHERE "Kennung" = md5($%d::text)::uuid)`
		return strings.NewReplacer("{a}", fmt.Sprintf(user, 1), "{b}", fmt.Sprintf(user, 2)).Replace(statement)
	}
	a, b := s.two()
	body := `repeat(md5(random()::text), (ARRAY[1, 300, 400])[1 + floor(random() * 3)::int])`
	switch n := s.random.IntN(46); {
	case n < 12:
		s.posts++
		s.exec(`INSERT INTO `+post+` SELECT $3, $1, `+uniqueTime+`, 'Beitrag', mandant, "Kennung", `+body+`, '{"/a,b.png"}' FROM "Über Leute" WHERE "Kennung" = md5($2::text)::uuid`,
			s.posts, s.anyone(), 1+s.random.IntN(4))
	case n < 14: // a large text stays
		s.exec(`UPDATE `+post+` SET bilder = CASE WHEN bilder IS NULL THEN '{/x.png,"/ü.png"}'::text[] END WHERE nr = $1`, s.anyPost())
	case n < 16:
		s.exec(`UPDATE `+post+` SET "Text/HTML" = `+body+` WHERE nr = $1`, s.anyPost())
	case n < 19: // to another partition
		s.exec(`UPDATE `+post+` SET raum = 1 + raum % 4 WHERE nr = $1`, s.anyPost())
	case n < 20:
		s.posts++
		s.exec(`UPDATE `+post+` SET nr = $2 WHERE nr = $1`, s.anyPost(), s.posts)
	case n < 22:
		s.exec(`UPDATE `+post+` SET art = CASE art WHEN 'Beitrag' THEN 'Entwurf ''1'''::"Art" ELSE 'Beitrag' END WHERE nr = $1`, s.anyPost())
	case n < 23:
		s.exec(`DELETE FROM `+post+` WHERE nr = $1`, s.anyPost())
	case n < 32:
		s.exec(pair(`INSERT INTO folgt SELECT {a}, {b}, $3 WHERE NOT EXISTS (SELECT FROM folgt WHERE "wer?" = {a} AND wen = {b})`), a, b, []string{"folgt", "stumm"}[s.random.IntN(4)/3])
	case n < 34:
		s.exec(pair(`UPDATE folgt SET art = CASE art WHEN 'folgt' THEN 'stumm'::"Art" ELSE 'folgt' END WHERE "wer?" = {a} AND wen > {b}`), a, b)
	case n < 35:
		s.exec(pair(`DELETE FROM folgt WHERE "wer?" = {a} AND wen > {b}`), a, b)
	case n < 37: // a large document stays
		s.exec(`UPDATE "Über Leute" SET gesperrt = CASE gesperrt WHEN 'infinity' THEN '2026-03-01'::timestamptz ELSE 'infinity' END WHERE "Kennung" = md5($1::text)::uuid`, s.anyone())
	case n < 38:
		s.exec(`UPDATE "Über Leute" SET profil = profil || jsonb_build_object('name', 'neu') WHERE "Kennung" = md5($1::text)::uuid`, s.anyone())
	case n < 40:
		s.posts++
		s.exec(`INSERT INTO "Ansagen" SELECT 'ä ' || $1, `+uniqueTime+`, mandant, "Kennung", `+body+` FROM "Über Leute" WHERE "Kennung" = md5($2::text)::uuid`, s.posts, s.anyone())
	case n < 43: // a large text stays
		s.exec(`UPDATE "Ansagen" SET bild = CASE WHEN bild IS NULL THEN '/y.png' END WHERE schlüssel > 'ä ' || $1`, s.anyPost())
	case n < 44:
		s.exec(`UPDATE "Ansagen" SET rede = `+body+` WHERE schlüssel > 'ä ' || $1`, s.anyPost())
	default:
		s.exec(`INSERT INTO public.andere_7 SELECT generate_series(1, 10)`)
	}
}
