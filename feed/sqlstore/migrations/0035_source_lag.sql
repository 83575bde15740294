-- current_at is the time up to which all messages of a partition are applied, 0 if unknown; waiting is
-- how many messages followed then, -1 if unknown.
ALTER TABLE source_positions ADD COLUMN current_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE source_positions ADD COLUMN waiting BIGINT NOT NULL DEFAULT -1;
