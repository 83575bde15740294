-- Whose contents may be pushed along with a slice, 0 for none. Slices of one author that serve
-- the same followers are found by what waits, by content, so that a claim of the first few
-- reads these and no more, however many wait (docs/adr/0013). The state is written as a sum,
-- as statements do on what is looked up, so that nothing else takes this index.
ALTER TABLE plan_slices ADD COLUMN author_id BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idx_slices_together ON plan_slices (author_id, first_id, last_id, content_id) WHERE state + 0 = 0;
