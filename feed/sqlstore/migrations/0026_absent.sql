-- absent is 1 for a user who has not arrived yet from the system that owns users, or was taken
-- back by it. The row stays with everything that refers to it, and reads leave the user out. They
-- look up each user in the index, which is empty if all are there.
ALTER TABLE users ADD COLUMN absent SMALLINT NOT NULL DEFAULT 0;
CREATE INDEX idx_users_absent ON users (id) WHERE absent > 0;

-- absences rises when a user with live sessions becomes absent or present.
ALTER TABLE live_clock ADD COLUMN absences BIGINT NOT NULL DEFAULT 0;

-- A reaction may name a post that has not arrived and so has no row.
{{only postgres}}
ALTER TABLE reactions DROP CONSTRAINT reactions_content_id_fkey;
{{end postgres}}
{{only sqlite}}
CREATE TABLE reactions_without_key (
    content_id BIGINT NOT NULL,
    kind       TEXT   NOT NULL,
    user_id    BIGINT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (content_id, kind, user_id)
) WITHOUT ROWID;
INSERT INTO reactions_without_key SELECT content_id, kind, user_id, created_at FROM reactions;
DROP TABLE reactions;
ALTER TABLE reactions_without_key RENAME TO reactions;
CREATE INDEX idx_reactions_user ON reactions (user_id, kind, created_at);
{{end sqlite}}
