-- inbox_layout is the layout of inboxes in Redis that is in use. The table says until when
-- workers that write a layout are counted on.
ALTER TABLE feed_state ADD COLUMN inbox_layout BIGINT NOT NULL DEFAULT 1;
CREATE TABLE inbox_layouts (
    layout {{id}},
    until  BIGINT NOT NULL
);
