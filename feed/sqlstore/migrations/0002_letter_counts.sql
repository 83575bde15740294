-- The number of dead letters of each source, kept by the transactions that store and drop letters, so
-- that no read counts them. A row stays when its source has no letters any more.
CREATE TABLE dead_letter_counts (
    source    TEXT   NOT NULL PRIMARY KEY,
    letters   BIGINT NOT NULL,
    overtaken BIGINT NOT NULL
) {{without rowid}};
INSERT INTO dead_letter_counts (source, letters, overtaken)
SELECT source, COUNT(*), SUM(overtaken) FROM dead_letters GROUP BY source;
-- The oldest letter of a source is read from this index, and so are pages of its letters.
CREATE INDEX idx_dead_letters_source ON dead_letters (source, id);
