-- Tables of Mastodon, as of December 2025, that say who sees what.
CREATE TABLE accounts (
  id bigint PRIMARY KEY, username varchar NOT NULL DEFAULT '', domain varchar, private_key text, public_key text NOT NULL DEFAULT '', created_at timestamp NOT NULL, updated_at timestamp NOT NULL,
  note text NOT NULL DEFAULT '', display_name varchar NOT NULL DEFAULT '', uri varchar NOT NULL DEFAULT '', url varchar,
  avatar_file_name varchar, avatar_content_type varchar, avatar_file_size integer, avatar_updated_at timestamp, header_file_name varchar, header_content_type varchar, header_file_size integer, header_updated_at timestamp,
  avatar_remote_url varchar, locked boolean NOT NULL DEFAULT false, header_remote_url varchar NOT NULL DEFAULT '', last_webfingered_at timestamp, inbox_url varchar NOT NULL DEFAULT '', outbox_url varchar NOT NULL DEFAULT '',
  shared_inbox_url varchar NOT NULL DEFAULT '', followers_url varchar NOT NULL DEFAULT '', protocol integer NOT NULL DEFAULT 0, memorial boolean NOT NULL DEFAULT false, moved_to_account_id bigint REFERENCES accounts ON DELETE SET NULL,
  featured_collection_url varchar, fields jsonb, actor_type varchar, discoverable boolean, also_known_as varchar[], silenced_at timestamp, suspended_at timestamp, hide_collections boolean,
  avatar_storage_schema_version integer, header_storage_schema_version integer, sensitized_at timestamp, suspension_origin integer, trendable boolean, reviewed_at timestamp, requested_review_at timestamp,
  indexable boolean NOT NULL DEFAULT false, attribution_domains varchar[] DEFAULT '{}', following_url varchar NOT NULL DEFAULT '', id_scheme integer DEFAULT 1, feature_approval_policy integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX index_accounts_on_username_and_domain_lower ON accounts (lower(username), COALESCE(lower(domain), ''));
CREATE TABLE users (
  id bigserial PRIMARY KEY, email varchar NOT NULL DEFAULT '', created_at timestamp NOT NULL, updated_at timestamp NOT NULL, encrypted_password varchar NOT NULL DEFAULT '', current_sign_in_at timestamp, confirmed_at timestamp,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, disabled boolean NOT NULL DEFAULT false, approved boolean NOT NULL DEFAULT true
);
CREATE TABLE statuses (
  id bigint PRIMARY KEY, uri varchar, text text NOT NULL DEFAULT '', created_at timestamp NOT NULL, updated_at timestamp NOT NULL, in_reply_to_id bigint REFERENCES statuses ON DELETE SET NULL,
  reblog_of_id bigint REFERENCES statuses ON DELETE CASCADE, url varchar, sensitive boolean NOT NULL DEFAULT false, visibility integer NOT NULL DEFAULT 0, spoiler_text text NOT NULL DEFAULT '', reply boolean NOT NULL DEFAULT false,
  language varchar, conversation_id bigint, local boolean, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, application_id bigint, in_reply_to_account_id bigint REFERENCES accounts ON DELETE SET NULL, poll_id bigint,
  deleted_at timestamp, edited_at timestamp, trendable boolean, ordered_media_attachment_ids bigint[], fetched_replies_at timestamp, quote_approval_policy integer NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX index_statuses_on_uri ON statuses (uri) WHERE uri IS NOT NULL;
CREATE TABLE scheduled_statuses (id bigserial PRIMARY KEY, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, scheduled_at timestamp, params jsonb);
CREATE TABLE mentions (id bigserial PRIMARY KEY, status_id bigint NOT NULL REFERENCES statuses ON DELETE CASCADE, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, silent boolean NOT NULL DEFAULT false);
CREATE TABLE follows (
  id bigserial PRIMARY KEY, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, target_account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  show_reblogs boolean NOT NULL DEFAULT true, uri varchar, notify boolean NOT NULL DEFAULT false, languages varchar[]
);
CREATE UNIQUE INDEX index_follows_on_account_id_and_target_account_id ON follows (account_id, target_account_id);
CREATE TABLE follow_requests (
  id bigserial PRIMARY KEY, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, target_account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  show_reblogs boolean NOT NULL DEFAULT true, uri varchar, notify boolean NOT NULL DEFAULT false, languages varchar[]
);
CREATE UNIQUE INDEX index_follow_requests_on_account_id_and_target_account_id ON follow_requests (account_id, target_account_id);
CREATE TABLE lists (
  id bigserial PRIMARY KEY, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, title varchar NOT NULL DEFAULT '', created_at timestamp NOT NULL, updated_at timestamp NOT NULL,
  replies_policy integer NOT NULL DEFAULT 0, exclusive boolean NOT NULL DEFAULT false
);
CREATE TABLE list_accounts (
  id bigserial PRIMARY KEY, list_id bigint NOT NULL REFERENCES lists ON DELETE CASCADE, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  follow_id bigint REFERENCES follows ON DELETE CASCADE, follow_request_id bigint REFERENCES follow_requests ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_list_accounts_on_account_id_and_list_id ON list_accounts (account_id, list_id);
CREATE TABLE blocks (
  id bigserial PRIMARY KEY, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, target_account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, uri varchar
);
CREATE UNIQUE INDEX index_blocks_on_account_id_and_target_account_id ON blocks (account_id, target_account_id);
CREATE TABLE mutes (
  id bigserial PRIMARY KEY, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, hide_notifications boolean NOT NULL DEFAULT true, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  target_account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, expires_at timestamp
);
CREATE UNIQUE INDEX index_mutes_on_account_id_and_target_account_id ON mutes (account_id, target_account_id);
CREATE TABLE favourites (id bigserial PRIMARY KEY, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, status_id bigint NOT NULL REFERENCES statuses ON DELETE CASCADE);
CREATE UNIQUE INDEX index_favourites_on_account_id_and_status_id ON favourites (account_id, status_id);
CREATE TABLE bookmarks (id bigserial PRIMARY KEY, created_at timestamp NOT NULL, updated_at timestamp NOT NULL, account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE, status_id bigint NOT NULL REFERENCES statuses ON DELETE CASCADE);
CREATE UNIQUE INDEX index_bookmarks_on_account_id_and_status_id ON bookmarks (account_id, status_id);
