-- Reactions and relations that users have taken back: an import of their records does not
-- bring them back. kind is like, favorite, mute, hide or block, and target_id a post or a
-- user accordingly. An edge that was made again afterwards may still have its row here; the
-- row in reactions or relations then counts. Follows need none: an undone one keeps its row
-- in follows, with active = 0.
CREATE TABLE absent_edges (
    user_id   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    target_id BIGINT NOT NULL,
    PRIMARY KEY (user_id, kind, target_id)
) {{without rowid}};
-- For the deletion of an account, which removes the relations to it.
CREATE INDEX idx_absent_edges_target ON absent_edges (target_id) WHERE kind IN ('mute', 'hide', 'block');
