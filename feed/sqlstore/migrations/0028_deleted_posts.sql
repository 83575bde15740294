-- For delta sync: a deleted account, or a changed relation, names deleted posts too.
CREATE INDEX idx_outbox_deleted ON contents (author_id, published_at, id, kind) WHERE deleted_at <> 0;
