-- The highest number that was to be written to each server. It is stored before that is
-- tried, so that a server with a higher one has heard of what this database has not: it is
-- from a backup.
ALTER TABLE pulses ADD COLUMN promised BIGINT NOT NULL DEFAULT 0;
UPDATE pulses SET promised = number;
