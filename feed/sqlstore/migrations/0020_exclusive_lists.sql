-- The home feed of a user lacks posts by the members of their exclusive lists. exclusive_to is the owner of such a
-- list, or 0: an edge is looked up by viewer and author.
ALTER TABLE author_lists ADD COLUMN exclusive SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE list_members ADD COLUMN exclusive_to BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idx_exclusive_members ON list_members (exclusive_to, user_id) WHERE exclusive_to > 0;
