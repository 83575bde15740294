-- Slices that wait and slices that run are due by different clocks: what waits may stand
-- in a queue. idx_slices_due goes by state first, so that a sweep reads none of the
-- others, and has them in its order. What is open is counted without a look at the table.
DROP INDEX idx_slices_due;
CREATE INDEX idx_slices_due ON plan_slices (state, due_at, content_id, task) WHERE state < 2;
