-- Lists from records: their ids in the source, and when it deleted them. Where ids are texts, a list that was
-- made here has its number as its id.
ALTER TABLE author_lists ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
ALTER TABLE author_lists ADD COLUMN deleted_at BIGINT NOT NULL DEFAULT 0;
UPDATE author_lists SET external_id = CAST(id AS TEXT) WHERE EXISTS (SELECT 1 FROM feed_state WHERE ids = 'text');
INSERT INTO external_ids (kind, external, n) SELECT 'list', external_id, id FROM author_lists WHERE external_id <> '';
