-- The attempts of the slices of an event are above attempt (feed.PlanState).
ALTER TABLE events ADD COLUMN attempt BIGINT NOT NULL DEFAULT 0;
-- A post that was restored during its first fan-out could keep the plan of before, and then its event
-- stayed open. These fan-outs begin again.
UPDATE events SET attempt = 1 + COALESCE((SELECT MAX(s.attempt) FROM plan_slices AS s WHERE s.content_id = events.content_id), 0)
WHERE state = 0 AND EXISTS (SELECT 1 FROM plans AS p WHERE p.content_id = events.content_id);
DELETE FROM plan_slices WHERE content_id IN (SELECT content_id FROM events WHERE state = 0);
DELETE FROM plans WHERE content_id IN (SELECT content_id FROM events WHERE state = 0);
