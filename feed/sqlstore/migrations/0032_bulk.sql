-- bulk_since is the time of the first batch of the bulk load that is running, or was killed; 0 if there
-- is none. bulk_at is the time of the last batch.
ALTER TABLE feed_state ADD COLUMN bulk_since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE feed_state ADD COLUMN bulk_at BIGINT NOT NULL DEFAULT 0;
