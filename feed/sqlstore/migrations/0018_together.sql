-- The author whose posts may be pushed together with a slice, 0 for none. The index finds
-- the waiting slices of one author with the same followers, by post, so that a claim of the
-- first few reads no more, however many wait (docs/adr/0013). Its condition writes the state
-- as a sum, like the statements that look up rows by key, so that no other statement uses
-- this index.
ALTER TABLE plan_slices ADD COLUMN author_id BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idx_slices_together ON plan_slices (author_id, first_id, last_id, content_id) WHERE state + 0 = 0;
