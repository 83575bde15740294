-- The changed viewer versions, for processes that poll them instead of reading each version
-- (docs/adr/0031). On SQLite one process reads the versions, without round trips.
{{only postgres}}
-- changed_in is the transaction of the change. If a snapshot does not see a row and a later
-- one does, the change was committed between the two.
CREATE TABLE stamp_changes (
    changed_in xid8   NOT NULL,
    user_id    BIGINT NOT NULL,
    PRIMARY KEY (changed_in, user_id)
);

-- held_at is when a process last made writers wait for its read leases. Changes before
-- horizon were committed by horizon_at, so no process needs them a while later.
CREATE TABLE stamp_holds (
    id         BIGINT NOT NULL PRIMARY KEY,
    held_at    BIGINT NOT NULL,
    horizon    xid8   NOT NULL,
    horizon_at BIGINT NOT NULL
);
INSERT INTO stamp_holds (id, held_at, horizon, horizon_at) VALUES (1, 0, '0', 0);

-- The database itself records every change, so that none is missed, whichever version of the
-- program makes it, or an operator with psql.
CREATE FUNCTION note_stamp_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stamp_changes (changed_in, user_id) VALUES (pg_current_xact_id(), NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE FUNCTION note_stamp_of_own() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stamp_changes (changed_in, user_id) VALUES (pg_current_xact_id(), NEW.user_id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

-- An import raises the generation instead of inserting rows for each user.
CREATE TRIGGER note_stamp AFTER UPDATE OF version, deleted_at ON users FOR EACH ROW
    WHEN ((OLD.version <> NEW.version OR OLD.deleted_at <> NEW.deleted_at) AND current_setting('tideline.importing', true) IS DISTINCT FROM 'yes')
    EXECUTE FUNCTION note_stamp_of_user();
CREATE TRIGGER note_first_stamp AFTER INSERT ON user_counters FOR EACH ROW
    WHEN (NEW.changes <> 0 AND current_setting('tideline.importing', true) IS DISTINCT FROM 'yes')
    EXECUTE FUNCTION note_stamp_of_own();
CREATE TRIGGER note_stamp AFTER UPDATE OF changes ON user_counters FOR EACH ROW
    WHEN (OLD.changes <> NEW.changes AND current_setting('tideline.importing', true) IS DISTINCT FROM 'yes')
    EXECUTE FUNCTION note_stamp_of_own();
{{end postgres}}
