-- least_schema is the schema version that a program must know to work with this database. A
-- migration that removes what older programs use raises it to the first version that does
-- not use it. Other migrations leave it unchanged.
ALTER TABLE feed_state ADD COLUMN least_schema BIGINT NOT NULL DEFAULT 0;
