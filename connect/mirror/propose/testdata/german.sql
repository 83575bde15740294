-- German names, with umlauts as two letters, and friendships that are also blocks.
CREATE TYPE art AS ENUM ('kurz', 'lang');
CREATE TYPE freund_status AS ENUM ('pending', 'accepted', 'blocked');
CREATE TABLE benutzer (benutzer_id bigint PRIMARY KEY, "Benutzername" text NOT NULL, profilbild text, gesperrt boolean NOT NULL, erstellt_am timestamptz NOT NULL, letzter_login timestamptz);
CREATE TABLE beitrag (beitrag_id bigint PRIMARY KEY, autor_id bigint NOT NULL REFERENCES benutzer, inhalt text NOT NULL, form art NOT NULL, oben boolean NOT NULL, sichtbarkeit text NOT NULL, erstellt_am timestamptz NOT NULL, geloescht_am timestamptz);
CREATE TABLE freundschaft (anfrager_id bigint NOT NULL REFERENCES benutzer, empfaenger_id bigint NOT NULL REFERENCES benutzer, status freund_status NOT NULL, erstellt_am timestamptz NOT NULL, PRIMARY KEY (anfrager_id, empfaenger_id));
CREATE TABLE "gefällt_mir" (benutzer_id bigint NOT NULL REFERENCES benutzer, beitrag_id bigint NOT NULL REFERENCES beitrag, erstellt_am timestamptz NOT NULL, PRIMARY KEY (benutzer_id, beitrag_id));
INSERT INTO benutzer VALUES (1, 'anna', NULL, false, '2026-01-01', '2026-02-01'), (2, 'bernd', 'b.png', false, '2026-01-01', NULL), (3, 'carla', NULL, true, '2026-01-01', NULL);
INSERT INTO beitrag VALUES (10, 2, 'Hallo', 'kurz', false, 'öffentlich', '2026-01-02', NULL), (11, 2, 'Privat', 'kurz', false, 'privat', '2026-01-03', NULL), (12, 2, 'Weg', 'lang', false, 'öffentlich', '2026-01-04', '2026-01-05');
INSERT INTO freundschaft VALUES (1, 2, 'accepted', '2026-01-01'), (2, 3, 'blocked', '2026-01-01'), (3, 1, 'pending', '2026-01-01');
INSERT INTO "gefällt_mir" VALUES (1, 10, '2026-01-03');
