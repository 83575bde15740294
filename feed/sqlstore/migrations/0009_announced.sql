-- announced says that a post's fan-out was done and its subscribers were notified: once,
-- however often its slices run again. Plans from before subscriptions count as announced.
ALTER TABLE plans ADD COLUMN announced SMALLINT NOT NULL DEFAULT 0;
UPDATE plans SET announced = 1;
