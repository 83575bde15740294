-- Tables of Pixelfed on PostgreSQL, as of its migrations up to March 2025, that say who sees what.
CREATE TABLE profiles (
  id bigint PRIMARY KEY, user_id integer, domain varchar(255), username varchar(255), status varchar(255), name varchar(255), bio text, unlisted boolean NOT NULL DEFAULT false, cw boolean NOT NULL DEFAULT false, no_autolink boolean NOT NULL DEFAULT false,
  location varchar(255), website varchar(255), profile_layout varchar(255), post_layout varchar(255), keybase_proof text, is_private boolean NOT NULL DEFAULT false, "sharedInbox" varchar(255), inbox_url varchar(255), outbox_url varchar(255),
  key_id varchar(255) UNIQUE, follower_url varchar(255), following_url varchar(255), private_key text, public_key text, remote_url varchar(255), created_at timestamp(0), updated_at timestamp(0), deleted_at timestamp(0), is_suggestable boolean NOT NULL DEFAULT false,
  last_fetched_at timestamp(0), status_count integer DEFAULT 0, followers_count integer DEFAULT 0, following_count integer DEFAULT 0, last_status_at timestamp(0), moved_to_profile_id bigint, UNIQUE (domain, username)
);
CREATE TABLE statuses (
  id bigint PRIMARY KEY, uri varchar(255) UNIQUE, caption text, rendered text, profile_id bigint, type varchar(255), in_reply_to_id bigint, reblog_of_id bigint, url varchar(255), is_nsfw boolean NOT NULL DEFAULT false, scope varchar(255) NOT NULL DEFAULT 'public',
  visibility varchar(255) NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'unlisted', 'private', 'direct', 'draft')), reply boolean NOT NULL DEFAULT false, likes_count bigint NOT NULL DEFAULT 0, reblogs_count bigint NOT NULL DEFAULT 0,
  language varchar(255), conversation_id bigint, local boolean NOT NULL DEFAULT true, application_id bigint, in_reply_to_profile_id bigint, entities json, created_at timestamp(0), updated_at timestamp(0), deleted_at timestamp(0), cw_summary varchar(255),
  reply_count integer, comments_disabled boolean NOT NULL DEFAULT false, place_id bigint, object_url varchar(255) UNIQUE, edited_at timestamp(0), pinned_order smallint
);
CREATE TABLE followers (id serial PRIMARY KEY, profile_id bigint NOT NULL, following_id bigint NOT NULL, local_profile boolean NOT NULL DEFAULT true, local_following boolean NOT NULL DEFAULT true, created_at timestamp(0), updated_at timestamp(0), UNIQUE (profile_id, following_id));
CREATE TABLE follow_requests (
  id bigserial PRIMARY KEY, follower_id bigint NOT NULL, following_id bigint NOT NULL, activity json, is_rejected boolean NOT NULL DEFAULT false, is_local boolean NOT NULL DEFAULT false, handled_at timestamp(0), created_at timestamp(0), updated_at timestamp(0)
);
CREATE TABLE user_filters (
  id bigserial PRIMARY KEY, user_id bigint NOT NULL, filterable_id bigint NOT NULL, filterable_type varchar(255) NOT NULL, filter_type varchar(255) NOT NULL DEFAULT 'block', created_at timestamp(0), updated_at timestamp(0),
  CONSTRAINT filter_unique UNIQUE (user_id, filterable_id, filterable_type, filter_type)
);
CREATE TABLE likes (id bigserial PRIMARY KEY, profile_id bigint NOT NULL, status_id bigint NOT NULL, status_profile_id bigint, is_comment boolean, created_at timestamp(0), updated_at timestamp(0), deleted_at timestamp(0), UNIQUE (profile_id, status_id));
CREATE TABLE bookmarks (id bigserial PRIMARY KEY, status_id bigint NOT NULL, profile_id bigint NOT NULL, created_at timestamp(0), updated_at timestamp(0), UNIQUE (status_id, profile_id));
