-- Holds of mirrors (feed.MirrorHold). place is where the mirror stops, and seen is 1 once the process
-- that follows the changes knows it.
CREATE TABLE mirror_holds (
    source  TEXT     NOT NULL PRIMARY KEY,
    id      BIGINT   NOT NULL,
    place   BIGINT   NOT NULL,
    ends_at BIGINT   NOT NULL,
    seen    SMALLINT NOT NULL DEFAULT 0
) {{without rowid}};
