-- cut is 1 for a letter that has only the beginning of its line.
ALTER TABLE dead_letters ADD COLUMN cut SMALLINT NOT NULL DEFAULT 0;
-- counted is the number of bad lines that were not stored as letters, since the source sent everything
-- again.
ALTER TABLE dead_letter_counts ADD COLUMN counted BIGINT NOT NULL DEFAULT 0;
-- counted is that of the source when the last snapshot began.
ALTER TABLE mirrors ADD COLUMN counted BIGINT NOT NULL DEFAULT 0;
