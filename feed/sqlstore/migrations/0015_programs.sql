-- least_schema is the version of the schema that a program must know to work with this
-- database. A migration that takes away what programs before it make use of raises it to
-- the version from which on programs do not; all other migrations leave it as it is.
ALTER TABLE feed_state ADD COLUMN least_schema BIGINT NOT NULL DEFAULT 0;
