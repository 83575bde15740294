-- announced says that a content's fan-out was done and subscribers were told: once, however
-- often its slices run again. What was planned before there were subscribers is old news.
ALTER TABLE plans ADD COLUMN announced SMALLINT NOT NULL DEFAULT 0;
UPDATE plans SET announced = 1;
