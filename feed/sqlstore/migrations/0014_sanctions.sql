-- Posts that are taken down and users who are suspended, as feed.HiddenFor.
ALTER TABLE contents ADD COLUMN taken_down SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN suspended SMALLINT NOT NULL DEFAULT 0;
-- Reads look up authors in this index, which is empty if no user is suspended.
CREATE INDEX idx_users_suspended ON users (id) WHERE suspended > 0;
-- What moderators have done. One of content_id and user_id is not 0. A sanction is in force while lifted_at is
-- 0; until is when a suspension ends, 0 for never.
CREATE TABLE sanctions (
    number     {{serial}},
    content_id BIGINT   NOT NULL,
    user_id    BIGINT   NOT NULL,
    reason     TEXT     NOT NULL,
    imposed_by TEXT     NOT NULL,
    imposed_at BIGINT   NOT NULL,
    until      BIGINT   NOT NULL,
    lifted_at  BIGINT   NOT NULL DEFAULT 0,
    lifted_by  TEXT     NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX idx_sanctions_in_force ON sanctions (content_id, user_id) WHERE lifted_at = 0;
CREATE INDEX idx_sanctions_subject ON sanctions (content_id, user_id, imposed_at, number);
CREATE INDEX idx_sanctions ON sanctions (imposed_at, number);
CREATE INDEX idx_sanctions_until ON sanctions (until) WHERE lifted_at = 0 AND until > 0;
-- Sanctions hide something: the condition is that of sqlstore.hides.
DROP INDEX idx_changes_hiding;
CREATE INDEX idx_changes_hiding ON changes (number)
WHERE kind = 4 AND other_id = 0 OR kind = 7 AND content_id <> 0 OR kind IN (3, 6, 12, 15, 16) AND other_id <> 0 OR kind = 8;
{{only postgres}}
DROP INDEX idx_queue_hiding;
CREATE INDEX idx_queue_hiding ON change_queue (id)
WHERE kind = 4 AND other_id = 0 OR kind = 7 AND content_id <> 0 OR kind IN (3, 6, 12, 15, 16) AND other_id <> 0 OR kind = 8;
{{end postgres}}
