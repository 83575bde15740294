CREATE TABLE hikers (id bigint PRIMARY KEY, nick varchar(40) NOT NULL UNIQUE, email varchar(200), joined_at timestamptz NOT NULL);
CREATE TABLE trail_logs (id bigint PRIMARY KEY, hiker_id bigint NOT NULL REFERENCES hikers, message text);
CREATE TABLE waymarks (id bigint PRIMARY KEY, hiker_id bigint NOT NULL REFERENCES hikers, description text NOT NULL, added_at timestamptz NOT NULL);
CREATE TABLE waymark_cheers (hiker_id bigint NOT NULL REFERENCES hikers, waymark_id bigint NOT NULL REFERENCES waymarks, PRIMARY KEY (hiker_id, waymark_id));
CREATE TABLE companions (hiker_id bigint NOT NULL REFERENCES hikers, guide_id bigint NOT NULL REFERENCES hikers, since timestamptz NOT NULL, PRIMARY KEY (hiker_id, guide_id));
INSERT INTO hikers VALUES (1, 'ann', NULL, '2026-01-01+00'), (2, 'bob', NULL, '2026-01-01+00');
INSERT INTO waymarks VALUES (1, 1, 'A view', '2026-01-02+00');
INSERT INTO companions VALUES (2, 1, '2026-01-03+00');
