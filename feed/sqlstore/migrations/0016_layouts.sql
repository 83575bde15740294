-- inbox_layout is the storage format of inboxes in Redis that is in use. The table says
-- until when workers hold a format.
ALTER TABLE feed_state ADD COLUMN inbox_layout BIGINT NOT NULL DEFAULT 1;
CREATE TABLE inbox_layouts (
    layout {{id}},
    until  BIGINT NOT NULL
);
