-- The skeletons of handles, by Unicode Technical Standard 39: two handles with a common
-- skeleton are easily confused. A user has one or two rows for their handle, and rows with
-- freed_at for handles that they gave up, which others may not take yet. exclusive says that
-- the handle was new when the row was stored, so no other user had the skeleton; imported
-- handles and those from before this table may share one.
CREATE TABLE handle_skeletons (
    skeleton  TEXT     NOT NULL,
    user_id   BIGINT   NOT NULL REFERENCES users (id),
    exclusive SMALLINT NOT NULL,
    freed_at  BIGINT   NOT NULL DEFAULT 0,
    PRIMARY KEY (skeleton, user_id)
) {{without rowid}};
-- If two users take similar handles at the same time, one fails here.
CREATE UNIQUE INDEX idx_skeleton_exclusive ON handle_skeletons (skeleton) WHERE exclusive = 1;
CREATE INDEX idx_skeletons_user ON handle_skeletons (user_id);
CREATE INDEX idx_skeletons_freed ON handle_skeletons (freed_at) WHERE freed_at > 0;
