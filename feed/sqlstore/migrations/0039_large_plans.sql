-- large is 1 for slices of large plans. They wait in a queue of their own, so a sweep finds lost
-- ones by another clock. The index begins with it, so that a sweep reads only what may be due.
ALTER TABLE plan_slices ADD COLUMN large SMALLINT NOT NULL DEFAULT 0;
DROP INDEX idx_slices_due;
CREATE INDEX idx_slices_due ON plan_slices (state, large, due_at, content_id, task) WHERE state < 2;
