-- PostgreSQL checks a foreign key with a query for each new row, which takes twice as long as storing
-- it. All statements that store references to users lock their rows before, and no row of users is
-- ever deleted, so these keys refuse nothing.
{{only postgres}}
LOCK TABLE users, contents, follows, reactions, relations, live_sessions, handle_skeletons, user_words;
ALTER TABLE contents DROP CONSTRAINT IF EXISTS contents_author_id_fkey;
ALTER TABLE follows DROP CONSTRAINT IF EXISTS follows_follower_id_fkey, DROP CONSTRAINT IF EXISTS follows_followee_id_fkey;
ALTER TABLE reactions DROP CONSTRAINT IF EXISTS reactions_user_id_fkey;
ALTER TABLE relations DROP CONSTRAINT IF EXISTS relations_user_id_fkey, DROP CONSTRAINT IF EXISTS relations_target_id_fkey;
ALTER TABLE live_sessions DROP CONSTRAINT IF EXISTS live_sessions_host_id_fkey;
ALTER TABLE handle_skeletons DROP CONSTRAINT IF EXISTS handle_skeletons_user_id_fkey;
ALTER TABLE user_words DROP CONSTRAINT IF EXISTS user_words_user_id_fkey;
{{end postgres}}
