package mirror

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// legacy is a system with numbers as ids, and with names that say little.
func legacy() shape {
	return shape{
		schema: legacySchema, mapping: legacyMap, types: "user,post,follow,mute,like", feeds: legacyFeeds, step: legacyStep,
		begin: func(s *system) {
			for range 30 {
				s.users++
				s.exec(`INSERT INTO members VALUES ($1, $2, '2026-01-01')`, s.users, fmt.Sprintf("nick '%d\\", s.users))
			}
		},
	}
}

const legacySchema = `
CREATE TYPE link AS ENUM ('follow', 'mute');
CREATE TABLE members ("memberId" bigint PRIMARY KEY, nick varchar(40) NOT NULL, joined timestamp NOT NULL, left_at timestamp);
CREATE TABLE notes (id bigint PRIMARY KEY, member bigint NOT NULL, body text, written timestamptz NOT NULL, state smallint NOT NULL DEFAULT 1, removed_at timestamp);
CREATE TABLE links (id bigserial PRIMARY KEY, a bigint NOT NULL, b bigint NOT NULL, kind link NOT NULL, made timestamptz NOT NULL DEFAULT '2026-01-01 00:00+00', UNIQUE (a, b));
CREATE TABLE hearts (member bigint, note bigint, PRIMARY KEY (member, note));
ALTER TABLE notes REPLICA IDENTITY FULL;
ALTER TABLE members REPLICA IDENTITY FULL;
ALTER TABLE links REPLICA IDENTITY FULL;
CREATE TABLE unrelated (n int);`

const legacyMap = `
zone: UTC
inputs:
  public.members:
    - type: user
      when: row.left_at == null
      fields: {id: =row.memberId, handle: "", name: =row.nick, createdAt: =row.joined}
  public.notes:
    - type: post
      when: row.state == 1 && row.removed_at == null
      fields: {id: =row.id, author: =row.member, kind: POST, text: '=row.body == null ? "" : row.body', publishedAt: =row.written}
  public.links:
    - type: follow
      when: row.kind == "follow"
      fields: {follower: =row.a, followee: =row.b, createdAt: =row.made}
    - type: mute
      when: row.kind == "mute"
      fields: {user: =row.a, target: =row.b, createdAt: =row.made}
  public.hearts:
    - type: like
      fields: {user: =row.member, post: =row.note, createdAt: "2026-01-01T00:00:00Z"}
`

const legacyFeeds = `
SELECT viewer."memberId"::text, n.id::text FROM members viewer LEFT JOIN (
    notes n JOIN members author ON author."memberId" = n.member AND author.left_at IS NULL
  ) ON n.state = 1 AND n.removed_at IS NULL
    AND (n.member = viewer."memberId" OR EXISTS (SELECT FROM links WHERE a = viewer."memberId" AND b = n.member AND kind = 'follow'))
WHERE viewer.left_at IS NULL
ORDER BY viewer."memberId", n.written DESC, n.id DESC`

// legacyStep runs one random statement.
func legacyStep(s *system) {
	s.t.Helper()
	switch n := s.random.IntN(40); {
	case n < 12:
		s.posts++
		s.exec(`INSERT INTO notes VALUES ($1, $2, $3, '2026-02-01 00:00+00'::timestamptz + $4 * interval '1 second')`,
			s.posts, s.anyone(), fmt.Sprintf("note\t%d\\\n", s.posts), s.random.IntN(3000))
	case n < 20:
		a, b := s.two()
		s.exec(`INSERT INTO links (a, b, kind) VALUES ($1, $2, $3) ON CONFLICT (a, b) DO UPDATE SET kind = EXCLUDED.kind`,
			a, b, []string{"follow", "follow", "follow", "mute"}[s.random.IntN(4)])
	case n < 22:
		s.exec(`DELETE FROM links WHERE a = $1 AND b > $2`, s.anyone(), s.anyone())
	case n < 24: // a changed key
		s.exec(`UPDATE links SET b = $2 WHERE a = $1 AND b = $3 AND a <> $2 AND NOT EXISTS (SELECT FROM links WHERE a = $1 AND b = $2)`, s.anyone(), s.anyone(), s.anyone())
	case n < 27: // a text of up to 299 * 301 characters, below the limit of 100,000
		s.exec(`UPDATE notes SET body = repeat(body, 2 + (id % 300)::int), state = state WHERE id = $1 AND length(body) < 300`, s.anyPost())
	case n < 30:
		s.exec(`UPDATE notes SET removed_at = CASE WHEN removed_at IS NULL THEN '2026-03-01'::timestamp END WHERE id = $1`, s.anyPost())
	case n < 31:
		s.exec(`UPDATE notes SET state = 1 - state WHERE id % 23 = $1`, s.random.IntN(23))
	case n < 32:
		s.exec(`DELETE FROM notes WHERE id = $1`, s.anyPost())
	case n < 33: // another key
		s.posts++
		s.exec(`UPDATE notes SET id = $2 WHERE id = $1`, s.anyPost(), s.posts)
	case n < 35:
		s.exec(`UPDATE members SET left_at = CASE WHEN left_at IS NULL THEN '2026-03-01'::timestamp END WHERE "memberId" = $1`, s.anyone())
	case n < 36:
		s.exec(`WITH gone AS (DELETE FROM members WHERE "memberId" = $1) SELECT 1`, s.anyone())
	case n < 37:
		s.exec(`INSERT INTO members VALUES ($1, 'back', '2026-01-01') ON CONFLICT DO NOTHING`, s.anyone())
	case n < 38:
		s.exec(`INSERT INTO unrelated SELECT generate_series(1, 10)`)
	default:
		s.exec(`INSERT INTO hearts VALUES ($1, $2) ON CONFLICT DO NOTHING`, s.anyone(), s.anyPost())
	}
}

// rails is a system as Rails makes it: numbers as ids, which posts and comments share, times without
// zone, soft deletion, and likes of anything. Its mapping is the proposed one.
func rails() shape {
	return shape{
		schema: railsSchema, types: "user,follow,post,like", settings: []string{"TIDELINE_IDS=text"}, feeds: railsFeeds, step: railsStep,
		begin: func(s *system) {
			s.users, s.posts = 20, 5
			s.exec(`INSERT INTO users SELECT n, 'user' || n, 'User ' || n, NULL, '2026-01-02', NULL, '2026-01-01', '2026-01-01' FROM generate_series(1, 20) n`)
		},
	}
}

const railsSchema = `
CREATE TABLE schema_migrations (version varchar PRIMARY KEY);
CREATE TABLE users (id bigint PRIMARY KEY, username varchar NOT NULL, display_name varchar, avatar_url varchar, last_sign_in_at timestamp, discarded_at timestamp, created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
CREATE UNIQUE INDEX index_users_on_username ON users (username);
CREATE TABLE posts (id bigint PRIMARY KEY, user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, body text NOT NULL, image_url varchar, comments_count integer NOT NULL DEFAULT 0, discarded_at timestamp, created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
CREATE TABLE comments (id bigint PRIMARY KEY, user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, post_id bigint NOT NULL REFERENCES posts ON DELETE CASCADE, body text NOT NULL, discarded_at timestamp, created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
CREATE TABLE relationships (id bigserial PRIMARY KEY, follower_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, followed_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, created_at timestamp NOT NULL DEFAULT '2026-01-01', updated_at timestamp NOT NULL DEFAULT '2026-01-01');
CREATE UNIQUE INDEX index_relationships_on_follower_id_and_followed_id ON relationships (follower_id, followed_id);
CREATE TABLE likes (user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, likeable_type varchar NOT NULL, likeable_id bigint NOT NULL, created_at timestamp NOT NULL DEFAULT '2026-01-01', PRIMARY KEY (user_id, likeable_type, likeable_id));`

const railsFeeds = `
SELECT viewer.id::text, p.id FROM users viewer LEFT JOIN (
    (SELECT id::text, user_id, created_at FROM posts WHERE discarded_at IS NULL UNION ALL SELECT 'comment-' || id, user_id, created_at FROM comments WHERE discarded_at IS NULL) p
    JOIN users author ON author.id = p.user_id AND author.discarded_at IS NULL
  ) ON p.user_id = viewer.id OR EXISTS (SELECT FROM relationships WHERE follower_id = viewer.id AND followed_id = p.user_id)
WHERE viewer.discarded_at IS NULL
ORDER BY viewer.id, p.created_at DESC`

// railsStep runs one random statement.
func railsStep(s *system) {
	s.t.Helper()
	table := []string{"posts", "comments"}[s.random.IntN(2)]
	a, b := s.two()
	switch n := s.random.IntN(34); {
	case n < 10:
		s.posts++
		s.exec(`INSERT INTO posts SELECT $1, $2, $3, 'https://example.com/a.png', 0, NULL, t, t FROM (SELECT `+uniqueTime+` AS t) x`, s.posts, s.anyone(), fmt.Sprintf("post\n%d", s.posts))
	case n < 14: // with the id of a post
		s.posts++
		s.exec(`INSERT INTO comments SELECT $1 - 5, $2, id, 'yes', NULL, t, t FROM posts, (SELECT `+uniqueTime+` AS t) x WHERE id = $3`, s.posts, s.anyone(), s.anyPost())
	case n < 22:
		s.exec(`INSERT INTO relationships (follower_id, followed_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, a, b)
	case n < 24: // a changed key
		s.exec(`UPDATE relationships r SET followed_id = $2 WHERE follower_id = $1 AND id = (SELECT min(id) FROM relationships WHERE follower_id = $1)
			AND NOT EXISTS (SELECT FROM relationships WHERE follower_id = $1 AND followed_id = $2)`, a, b)
	case n < 26:
		s.exec(`DELETE FROM relationships WHERE follower_id = $1 AND followed_id > $2`, s.anyone(), s.anyone())
	case n < 28:
		s.exec(`UPDATE `+table+` SET body = body || ' (edited)', updated_at = '2026-04-01' WHERE id = $1`, s.anyPost())
	case n < 30:
		s.exec(`UPDATE `+table+` SET discarded_at = CASE WHEN discarded_at IS NULL THEN '2026-04-01'::timestamp END WHERE id = $1`, s.anyPost())
	case n < 31:
		s.exec(`UPDATE users SET discarded_at = CASE WHEN discarded_at IS NULL THEN '2026-04-01'::timestamp END WHERE id = $1`, s.anyone())
	case n < 32:
		s.exec(`DELETE FROM `+table+` WHERE id = $1`, s.anyPost())
	default:
		s.exec(`INSERT INTO likes VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, s.anyone(), []string{"Post", "Comment"}[s.random.IntN(2)], s.anyPost())
	}
}

// uniqueTime is a time for the post whose number is $1. No two have the same, since text ids of equal
// times are in an order that only Tideline knows.
const uniqueTime = `'2026-02-01'::timestamptz + ($1 * 7919 % 100003) * interval '1 second'`

// The mapping is the proposed one, unedited.
func TestMirror_ProposalGivesExactFeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), rails())
	w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	w.check()
	w.change(300)
	w.check()
	w.equalWhileWriting()
}

// A changed key makes another post, whose large text PostgreSQL does not send.
func TestMirror_KeepsTextsOfChangedKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), nasty())
	w.exec(`INSERT INTO "Ansagen" SELECT 'groß ' || n, '2026-03-01'::timestamptz + n * interval '1 second', mandant, "Kennung", (SELECT string_agg(md5(n || '-' || i), '') FROM generate_series(1, 3100) i)
		FROM "Über Leute", generate_series(1, 20) n WHERE "Kennung" = md5(n::text)::uuid`)
	changes := 0
	change := func() {
		changes++
		w.exec(`UPDATE "Ansagen" SET schlüssel = split_part(schlüssel, ' +', 1) || ' +' || $1 WHERE schlüssel LIKE 'groß%'`, changes)
	}
	check := func() {
		t.Helper()
		w.check()
		w.checkObjects(nastyObjects, nastyStored)
	}
	p := w.start()
	for w.position() == 0 { // the snapshot is read
		change()
	}
	change()
	check()
	p.Kill()
	change()
	change()
	w.start()
	check()
	w.command("resnapshot")
	for w.requests() > 0 {
		change()
	}
	check()
}

func TestMirror_MirrorsStrangeTables(t *testing.T) {
	t.Parallel()
	w := newWorld(t, testenv.LogicalPostgres(t), nasty())
	p := w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	w.check()
	w.checkObjects(nastyObjects, nastyStored)
	for range 3 {
		w.change(100)
		w.check()
		w.checkObjects(nastyObjects, nastyStored)
	}
	w.equalWhileWriting()
	p.Kill()
	w.change(30)
	w.command("resnapshot")
	w.start()
	eventually.True(t, "the request is served", func() bool { return w.requests() == 0 })
	w.check()
	w.checkObjects(nastyObjects, nastyStored)
}

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
      decides: {row.gruppen: nothing}
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
	switch n := s.random.IntN(48); {
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
	case n < 46: // another key, and a large text stays
		s.posts++
		s.exec(`UPDATE "Ansagen" SET schlüssel = 'ä ' || $1 WHERE schlüssel = (SELECT min(schlüssel) FROM "Ansagen" WHERE schlüssel > 'ä ' || $2)`, s.posts, s.anyPost())
	default:
		s.exec(`INSERT INTO public.andere_7 SELECT generate_series(1, 10)`)
	}
}
