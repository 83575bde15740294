-- When a mute ends by itself, 0 for never.
ALTER TABLE relations ADD COLUMN until BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idx_relations_until ON relations (until) WHERE until > 0;
