-- Conditions that one process sees and that every process and the doctor warn of, such as a
-- proxy that is not trusted. A name has one row, so the table stays small; a row that is old
-- no longer counts.
CREATE TABLE observations (
    name    TEXT   NOT NULL PRIMARY KEY,
    subject TEXT   NOT NULL,
    seen_at BIGINT NOT NULL
);
