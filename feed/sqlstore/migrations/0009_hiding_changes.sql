-- Reads look for the changes that hide something since their process has last looked. The condition is
-- that of sqlstore.hides.
CREATE INDEX idx_changes_hiding ON changes (number)
WHERE kind = 4 AND other_id = 0 OR kind = 7 AND content_id <> 0 OR kind = 12 AND other_id <> 0 OR kind = 8;
{{only postgres}}
CREATE INDEX idx_queue_hiding ON change_queue (id)
WHERE kind = 4 AND other_id = 0 OR kind = 7 AND content_id <> 0 OR kind = 12 AND other_id <> 0 OR kind = 8;
{{end postgres}}
