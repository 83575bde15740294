-- When the last rerun began, or a millisecond after the one before it. The number is unique,
-- so it identifies the slices that a rerun has reset.
ALTER TABLE feed_state ADD COLUMN rerun_at BIGINT NOT NULL DEFAULT 0;
