-- Whose stamps have changed, for those who keep a journal of it instead of asking (docs/adr/0031).
-- SQLite, which is asked by one process and has no round trips, is always asked.
{{only postgres}}
-- changed_in is the transaction that made the change. A row that a snapshot does not see, and
-- a later one does, tells of a change between the two.
CREATE TABLE stamp_changes (
    changed_in xid8   NOT NULL,
    user_id    BIGINT NOT NULL,
    PRIMARY KEY (changed_in, user_id)
);

-- held_at is when somebody last had writers wait for his leases. What was changed before
-- horizon was over at horizon_at, so a while behind that nobody asks for it.
CREATE TABLE stamp_holds (
    id         BIGINT NOT NULL PRIMARY KEY,
    held_at    BIGINT NOT NULL,
    horizon    xid8   NOT NULL,
    horizon_at BIGINT NOT NULL
);
INSERT INTO stamp_holds (id, held_at, horizon, horizon_at) VALUES (1, 0, '0', 0);

-- The database itself notes every change, so that none can be forgotten, whichever version of
-- the program makes it, or whoever at a prompt.
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

-- An import raises the generation, which tells more than rows of each user would.
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
