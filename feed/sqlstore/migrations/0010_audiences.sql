-- audience says who a post is for: 0 everyone, 1 the followers of audience_author, 2 what the post that
-- this one answers or shares says, which has not arrived. audience_author is that of feed.Post, and 0 if
-- that post has not arrived.
ALTER TABLE contents ADD COLUMN audience SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE contents ADD COLUMN audience_author BIGINT NOT NULL DEFAULT 0;
UPDATE contents SET audience_author = author_id WHERE reply_to = 0 AND repost_of = 0;
-- A comment or repost has the audience author of its parent. Without an index on parents, SQLite would
-- search the whole table for the children of each post.
CREATE INDEX idx_contents_parent ON contents ((CASE WHEN reply_to <> 0 THEN reply_to ELSE repost_of END)) WHERE reply_to <> 0 OR repost_of <> 0;
WITH RECURSIVE thread (id, audience_author) AS (
    SELECT id, author_id FROM contents WHERE reply_to = 0 AND repost_of = 0
    UNION ALL
    SELECT c.id, thread.audience_author FROM thread JOIN contents AS c
    ON CASE WHEN c.reply_to <> 0 THEN c.reply_to ELSE c.repost_of END = thread.id AND (c.reply_to <> 0 OR c.repost_of <> 0)
)
UPDATE contents SET audience_author = thread.audience_author FROM thread
WHERE contents.id = thread.id AND (contents.reply_to <> 0 OR contents.repost_of <> 0);
DROP INDEX idx_contents_parent;
-- An outbox as viewers see it who do not follow its author: without the posts for the author's own
-- followers, of which there may be millions.
CREATE INDEX idx_outbox_strangers ON contents (author_id, published_at, id, kind)
WHERE deleted_at = 0 AND (audience = 0 OR audience_author <> author_id);
-- Posts that take their audience from one that has not arrived.
CREATE INDEX idx_unsettled_comments ON contents (reply_to, id) WHERE reply_to <> 0 AND (audience = 2 OR audience_author = 0);
CREATE INDEX idx_unsettled_reposts ON contents (repost_of, id) WHERE repost_of <> 0 AND (audience = 2 OR audience_author = 0);
-- Comments and reposts by others that an account's followers may see.
CREATE INDEX idx_audience_author ON contents (audience_author, published_at, id) WHERE audience_author <> author_id;
-- private is 1 for an account whose posts only its followers may see. It may change twice a day: the
-- others are the times of the last change and of the one before, 0 for none.
ALTER TABLE users ADD COLUMN private SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN privacy_changed_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN privacy_changed_before BIGINT NOT NULL DEFAULT 0;
-- Reads look up authors in this index, which is empty if all accounts are public.
CREATE INDEX idx_users_private ON users (id) WHERE private = 1;
-- A narrower audience and a private account hide something, too: the condition is that of sqlstore.hides.
DROP INDEX idx_changes_hiding;
CREATE INDEX idx_changes_hiding ON changes (number)
WHERE kind = 4 AND other_id = 0 OR kind = 7 AND content_id <> 0 OR kind IN (3, 6, 12) AND other_id <> 0 OR kind = 8;
{{only postgres}}
DROP INDEX idx_queue_hiding;
CREATE INDEX idx_queue_hiding ON change_queue (id)
WHERE kind = 4 AND other_id = 0 OR kind = 7 AND content_id <> 0 OR kind IN (3, 6, 12) AND other_id <> 0 OR kind = 8;
{{end postgres}}
