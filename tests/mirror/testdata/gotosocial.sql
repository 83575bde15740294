-- Tables of GoToSocial on PostgreSQL, as of 2025, that say who sees what.
CREATE TABLE accounts (
  id char(26) PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), fetched_at timestamptz, username varchar NOT NULL, domain varchar, avatar_media_attachment_id char(26), avatar_remote_url varchar,
  header_media_attachment_id char(26), header_remote_url varchar, display_name varchar, emojis varchar[], fields jsonb, fields_raw jsonb, note varchar, note_raw varchar, also_known_as_uris varchar[], moved_to_uri varchar, move_id char(26),
  locked boolean NOT NULL DEFAULT true, discoverable boolean NOT NULL DEFAULT false, uri varchar NOT NULL UNIQUE, url varchar, inbox_uri varchar, shared_inbox_uri varchar, outbox_uri varchar, following_uri varchar, followers_uri varchar,
  featured_collection_uri varchar, actor_type smallint NOT NULL DEFAULT 4, private_key jsonb, public_key jsonb NOT NULL DEFAULT '{}', public_key_uri varchar NOT NULL UNIQUE, public_key_expires_at timestamptz, memorialized_at timestamptz,
  sensitized_at timestamptz, silenced_at timestamptz, suspended_at timestamptz, suspension_origin char(26), UNIQUE (username, domain)
);
CREATE TABLE account_settings (account_id char(26) PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), privacy smallint, web_visibility smallint NOT NULL DEFAULT 2);
CREATE TABLE statuses (
  id char(26) PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), edited_at timestamptz, fetched_at timestamptz, pinned_at timestamptz, uri varchar NOT NULL UNIQUE, url varchar, content varchar, attachments varchar[], tags varchar[], mentions varchar[],
  emojis varchar[], local boolean NOT NULL DEFAULT false, account_id char(26) NOT NULL, account_uri varchar NOT NULL, in_reply_to_id char(26), in_reply_to_uri varchar, in_reply_to_account_id char(26), boost_of_id char(26), boost_of_account_id char(26),
  thread_id char(26), edits varchar[], poll_id char(26), content_warning varchar, content_warning_text varchar, visibility smallint NOT NULL, sensitive boolean NOT NULL DEFAULT false, language varchar, created_with_application_id char(26),
  activity_streams_type varchar NOT NULL, text varchar, content_type smallint, federated boolean NOT NULL, interaction_policy jsonb, pending_approval boolean NOT NULL DEFAULT false, approved_by_uri varchar
);
CREATE TABLE scheduled_statuses (id char(26) PRIMARY KEY, account_id char(26) NOT NULL, scheduled_at timestamptz NOT NULL, text varchar, visibility smallint NOT NULL);
CREATE TABLE follows (
  id char(26) PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), uri varchar NOT NULL UNIQUE, account_id char(26) NOT NULL, target_account_id char(26) NOT NULL, show_reblogs boolean NOT NULL DEFAULT true,
  notify boolean NOT NULL DEFAULT false, CONSTRAINT srctarget UNIQUE (account_id, target_account_id)
);
CREATE TABLE follow_requests (
  id char(26) PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), uri varchar NOT NULL UNIQUE, account_id char(26) NOT NULL, target_account_id char(26) NOT NULL, show_reblogs boolean NOT NULL DEFAULT true,
  notify boolean NOT NULL DEFAULT false, CONSTRAINT frsrctarget UNIQUE (account_id, target_account_id)
);
CREATE TABLE blocks (
  id char(26) PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), uri varchar NOT NULL UNIQUE, account_id char(26) NOT NULL, target_account_id char(26) NOT NULL,
  CONSTRAINT blocksrctarget UNIQUE (account_id, target_account_id)
);
CREATE TABLE user_mutes (
  id char(26) PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz, account_id char(26) NOT NULL, target_account_id char(26) NOT NULL, notifications boolean NOT NULL DEFAULT false,
  CONSTRAINT mutesrctarget UNIQUE (account_id, target_account_id)
);
CREATE TABLE status_faves (
  id char(26) PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), account_id char(26) NOT NULL, target_account_id char(26) NOT NULL, status_id char(26) NOT NULL, uri varchar NOT NULL UNIQUE,
  pending_approval boolean NOT NULL DEFAULT false, approved_by_uri varchar, CONSTRAINT statusfaveaccountstatus UNIQUE (account_id, status_id)
);
CREATE TABLE status_bookmarks (
  id char(26) PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(), account_id char(26) NOT NULL, target_account_id char(26) NOT NULL, status_id char(26) NOT NULL
);
