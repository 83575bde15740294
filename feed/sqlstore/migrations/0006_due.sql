-- Waiting and running slices are due by different clocks, because a waiting slice may be in
-- a queue. idx_slices_due begins with state, so that a sweep reads only the state it needs,
-- in order. Open slices are counted without reading the table.
DROP INDEX idx_slices_due;
CREATE INDEX idx_slices_due ON plan_slices (state, due_at, content_id, task) WHERE state < 2;
