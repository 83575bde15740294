-- What handles look like, by Unicode Technical Standard 39: two handles with a skeleton in
-- common are easily taken for each other. A user has one or two rows for the handle they
-- have, and rows with freed_at for handles they gave up, which others may not take yet.
-- exclusive says that the handle was new when the row was stored, so that nobody else had
-- the skeleton; imported handles and those from before this table may share one.
CREATE TABLE handle_skeletons (
    skeleton  TEXT     NOT NULL,
    user_id   BIGINT   NOT NULL REFERENCES users (id),
    exclusive SMALLINT NOT NULL,
    freed_at  BIGINT   NOT NULL DEFAULT 0,
    PRIMARY KEY (skeleton, user_id)
) {{without rowid}};
-- Of two users who take handles that look alike at the same time, one fails here.
CREATE UNIQUE INDEX idx_skeleton_exclusive ON handle_skeletons (skeleton) WHERE exclusive = 1;
CREATE INDEX idx_skeletons_user ON handle_skeletons (user_id);
CREATE INDEX idx_skeletons_freed ON handle_skeletons (freed_at) WHERE freed_at > 0;
