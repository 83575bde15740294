-- Changes of mutes, hides and blocks, profiles, searching for users, and deleted accounts.

-- Mutes, hides and blocks are listed by their time.
CREATE INDEX idx_related ON relations (user_id, kind, created_at, target_id);

-- The row of a deleted account stays, without handle, name and avatar: its id is never used
-- again, and posts with replies still have an author.
ALTER TABLE users ADD COLUMN deleted_at BIGINT NOT NULL DEFAULT 0;

-- The deleted accounts that may still have posts, edges, reactions and the like. A row is
-- deleted with the last of them, so the table is nearly always empty, and every read can
-- afford to exclude these users.
CREATE TABLE purges (
    user_id    {{id}},
    deleted_at BIGINT NOT NULL
);

-- The words that users are found by. place is the beginning of the word as a number, larger
-- for words earlier in the alphabet.
CREATE TABLE user_words (
    user_id BIGINT NOT NULL REFERENCES users (id),
    word    TEXT   NOT NULL,
    place   BIGINT NOT NULL,
    PRIMARY KEY (user_id, word)
) {{without rowid}};
-- A search is read from this index alone.
CREATE INDEX idx_search ON user_words (place, user_id, word);
