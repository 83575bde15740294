-- When the last rerun began, or a millisecond more than the one before it: no two begin at
-- the same time, by which slices that one of them has reset are told from all others.
ALTER TABLE feed_state ADD COLUMN rerun_at BIGINT NOT NULL DEFAULT 0;
