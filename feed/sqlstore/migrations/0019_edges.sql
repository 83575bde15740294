-- Whether an edge is in force stands in the key, too, beside the two whom it is between. A
-- page asks that of each author whom it shows. By the follower's half of the key all of them
-- are on one page of the index, where by the followee's each is on another, and nothing of the
-- table is read. In SQLite the key is the table.
{{only postgres}}
CREATE UNIQUE INDEX follows_edge ON follows (follower_id, followee_id) INCLUDE (active);
ALTER TABLE follows DROP CONSTRAINT follows_pkey, ADD CONSTRAINT follows_pkey PRIMARY KEY USING INDEX follows_edge;
{{end postgres}}
