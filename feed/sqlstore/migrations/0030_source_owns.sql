-- The types of records that a source owns (feed.RecordTypes); empty for none.
ALTER TABLE feed_state ADD COLUMN source_owns TEXT NOT NULL DEFAULT '';
