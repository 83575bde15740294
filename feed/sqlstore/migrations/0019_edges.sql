-- The index also contains whether an edge is active, besides the two users. A page reads
-- this for each of its authors. By follower all of them are on one index page, by followee
-- each is on another, and the table is not read. In SQLite the key is the table.
{{only postgres}}
CREATE UNIQUE INDEX follows_edge ON follows (follower_id, followee_id) INCLUDE (active);
ALTER TABLE follows DROP CONSTRAINT follows_pkey, ADD CONSTRAINT follows_pkey PRIMARY KEY USING INDEX follows_edge;
{{end postgres}}
