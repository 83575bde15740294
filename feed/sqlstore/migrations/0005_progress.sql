-- What it takes to notice that a server of inboxes has lost something, and to repair it.

-- moved_at is when progress was last stored, on the clock of this database; 0 when it
-- was not, or the slice has begun anew since.
ALTER TABLE plan_slices ADD COLUMN moved_at BIGINT NOT NULL DEFAULT 0;
-- begun_at is when it was last made to begin anew; 0 when it never was.
ALTER TABLE plan_slices ADD COLUMN begun_at BIGINT NOT NULL DEFAULT 0;
-- What moved last stands at the end of the index, so progress, which is stored all the
-- time, always changes the same few pages of it. Slices that wait are not in it.
CREATE INDEX idx_slices_moved ON plan_slices (moved_at) WHERE moved_at > 0;

-- The number that was last written to each server and acknowledged, and the run of the
-- server that did.
CREATE TABLE pulses (
    server TEXT   NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL,
    run    TEXT   NOT NULL
) {{without rowid}};
