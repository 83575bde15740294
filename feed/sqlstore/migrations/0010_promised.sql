-- The highest number to be written to each server. It is stored before the write. So if a
-- server has a higher one, this database was restored from a backup.
ALTER TABLE pulses ADD COLUMN promised BIGINT NOT NULL DEFAULT 0;
UPDATE pulses SET promised = number;
