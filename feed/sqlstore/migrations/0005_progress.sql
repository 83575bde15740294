-- Columns to detect that an inbox server has lost data, and to repair it.

-- moved_at is when progress was last stored, on the clock of this database; 0 if never, or
-- if the slice has started again since.
ALTER TABLE plan_slices ADD COLUMN moved_at BIGINT NOT NULL DEFAULT 0;
-- begun_at is when the slice was last reset to start again; 0 if never.
ALTER TABLE plan_slices ADD COLUMN begun_at BIGINT NOT NULL DEFAULT 0;
-- The latest progress is at the end of the index, so storing progress always changes the
-- same few pages. Waiting slices are not in it.
CREATE INDEX idx_slices_moved ON plan_slices (moved_at) WHERE moved_at > 0;

-- The last number that was written to each server and acknowledged, and the run of the
-- server.
CREATE TABLE pulses (
    server TEXT   NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL,
    run    TEXT   NOT NULL
) {{without rowid}};
