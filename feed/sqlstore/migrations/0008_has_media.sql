-- has_media is 1 for a post with media that are not in the column media.
ALTER TABLE contents ADD COLUMN has_media SMALLINT NOT NULL DEFAULT 0;
-- Without it, an outbox of posts with media would be searched in all posts of its author.
CREATE INDEX idx_outbox_media ON contents (author_id, published_at, id, kind) WHERE deleted_at = 0 AND (has_media = 1 OR media <> '[]');
