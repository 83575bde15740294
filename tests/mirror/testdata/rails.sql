-- Tables of a plain Rails application, with Devise, Discard and enums, as generators make them.
CREATE TABLE users (
  id bigserial PRIMARY KEY, email varchar NOT NULL DEFAULT '', encrypted_password varchar NOT NULL DEFAULT '', reset_password_token varchar, reset_password_sent_at timestamp(6), remember_created_at timestamp(6), sign_in_count integer NOT NULL DEFAULT 0,
  current_sign_in_at timestamp(6), last_sign_in_at timestamp(6), current_sign_in_ip varchar, last_sign_in_ip varchar, confirmation_token varchar, confirmed_at timestamp(6), confirmation_sent_at timestamp(6), unconfirmed_email varchar,
  failed_attempts integer NOT NULL DEFAULT 0, unlock_token varchar, locked_at timestamp(6), username varchar NOT NULL, name varchar, bio text, avatar_url varchar, role integer NOT NULL DEFAULT 0, private boolean NOT NULL DEFAULT false,
  suspended_at timestamp(6), discarded_at timestamp(6), created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL
);
CREATE UNIQUE INDEX index_users_on_email ON users (email);
CREATE UNIQUE INDEX index_users_on_username ON users (username);
CREATE UNIQUE INDEX index_users_on_reset_password_token ON users (reset_password_token);
CREATE UNIQUE INDEX index_users_on_confirmation_token ON users (confirmation_token);
CREATE UNIQUE INDEX index_users_on_unlock_token ON users (unlock_token);
CREATE TABLE groups (id bigserial PRIMARY KEY, name varchar NOT NULL, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL);
CREATE TABLE posts (
  id bigserial PRIMARY KEY, user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, group_id bigint REFERENCES groups, title varchar NOT NULL, body text, status integer NOT NULL DEFAULT 0, visibility integer NOT NULL DEFAULT 0,
  comments_count integer NOT NULL DEFAULT 0, likes_count integer NOT NULL DEFAULT 0, pinned boolean NOT NULL DEFAULT false, published_at timestamp(6), hidden_at timestamp(6), discarded_at timestamp(6), created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL
);
CREATE TABLE comments (id bigserial PRIMARY KEY, user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, post_id bigint NOT NULL REFERENCES posts ON DELETE CASCADE, body text NOT NULL, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL);
CREATE TABLE relationships (id bigserial PRIMARY KEY, follower_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, followed_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, accepted_at timestamp(6), created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL);
CREATE UNIQUE INDEX index_relationships_on_follower_id_and_followed_id ON relationships (follower_id, followed_id);
CREATE TABLE blocks (id bigserial PRIMARY KEY, blocker_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, blocked_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL);
CREATE UNIQUE INDEX index_blocks_on_blocker_id_and_blocked_id ON blocks (blocker_id, blocked_id);
CREATE TABLE mutes (id bigserial PRIMARY KEY, muter_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, muted_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL);
CREATE UNIQUE INDEX index_mutes_on_muter_id_and_muted_id ON mutes (muter_id, muted_id);
CREATE TABLE likes (id bigserial PRIMARY KEY, user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, likeable_type varchar NOT NULL, likeable_id bigint NOT NULL, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL);
CREATE UNIQUE INDEX index_likes_on_user_id_and_likeable ON likes (user_id, likeable_type, likeable_id);
CREATE TABLE bookmarks (id bigserial PRIMARY KEY, user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE, post_id bigint NOT NULL REFERENCES posts ON DELETE CASCADE, created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL);
CREATE UNIQUE INDEX index_bookmarks_on_user_id_and_post_id ON bookmarks (user_id, post_id);
