-- Lists of authors, with the number of their members.
CREATE TABLE author_lists (
    id         BIGINT   PRIMARY KEY,
    owner_id   BIGINT   NOT NULL {{references users}},
    name       TEXT     NOT NULL,
    is_public  SMALLINT NOT NULL,
    members    BIGINT   NOT NULL,
    created_at BIGINT   NOT NULL
);
CREATE INDEX idx_author_lists ON author_lists (owner_id, created_at, id);
CREATE TABLE list_members (
    list_id  BIGINT NOT NULL,
    user_id  BIGINT NOT NULL {{references users}},
    added_at BIGINT NOT NULL,
    PRIMARY KEY (list_id, user_id)
) {{without rowid}};
-- Members are listed by the time of their addition, and removed with their account.
CREATE INDEX idx_list_members ON list_members (list_id, added_at, user_id);
CREATE INDEX idx_listed_users ON list_members (user_id, list_id);
