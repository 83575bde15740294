-- created_at is when an edge that has ended was made; 0 if unknown. A partial record may bring it back.
ALTER TABLE object_versions ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
