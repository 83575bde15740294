-- Letters of a bus keep the key of their message and the place of the record in it, from 1, instead of a
-- line, which is read from the bus again. Other letters have 0.
ALTER TABLE dead_letters ADD COLUMN message_key TEXT NOT NULL DEFAULT '';
ALTER TABLE dead_letters ADD COLUMN element INTEGER NOT NULL DEFAULT 0;
