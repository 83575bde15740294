-- Tables of Lemmy, as of late 2025 (1.0), that say who sees what.
CREATE EXTENSION ltree;
CREATE TYPE community_visibility AS ENUM ('Public', 'Unlisted', 'LocalOnlyPublic', 'LocalOnlyPrivate', 'Private');
CREATE TYPE post_notifications_mode_enum AS ENUM ('AllComments', 'RepliesAndMentions', 'Mute');
CREATE TABLE person (
  id integer PRIMARY KEY, name varchar(255) NOT NULL, display_name varchar(50), avatar text, published_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz, ap_id varchar(255) NOT NULL UNIQUE, bio text, local boolean NOT NULL DEFAULT true,
  private_key text, public_key text NOT NULL DEFAULT '', last_refreshed_at timestamptz NOT NULL DEFAULT now(), banner text, deleted boolean NOT NULL DEFAULT false, inbox_url varchar(255) NOT NULL DEFAULT '', matrix_user_id text,
  bot_account boolean NOT NULL DEFAULT false, instance_id integer NOT NULL DEFAULT 1, post_count integer NOT NULL DEFAULT 0, post_score integer NOT NULL DEFAULT 0, comment_count integer NOT NULL DEFAULT 0, comment_score integer NOT NULL DEFAULT 0
);
CREATE TABLE person_actions (
  followed_at timestamptz, blocked_at timestamptz, person_id integer NOT NULL REFERENCES person ON DELETE CASCADE, target_id integer NOT NULL REFERENCES person ON DELETE CASCADE, follow_pending boolean, noted_at timestamptz, note text,
  voted_at timestamptz, upvotes integer, downvotes integer, PRIMARY KEY (person_id, target_id)
);
CREATE TABLE community (
  id integer PRIMARY KEY, name varchar(255) NOT NULL, title varchar(50) NOT NULL DEFAULT '', sidebar text, removed boolean NOT NULL DEFAULT false, published_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz,
  deleted boolean NOT NULL DEFAULT false, nsfw boolean NOT NULL DEFAULT false, local boolean NOT NULL DEFAULT true, visibility community_visibility NOT NULL DEFAULT 'Public', local_removed boolean NOT NULL DEFAULT false
);
CREATE TABLE post (
  id integer PRIMARY KEY, name varchar(200) NOT NULL, url varchar(2000), body text, creator_id integer NOT NULL REFERENCES person ON DELETE CASCADE, community_id integer NOT NULL REFERENCES community ON DELETE CASCADE, removed boolean NOT NULL DEFAULT false,
  locked boolean NOT NULL DEFAULT false, published_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz, deleted boolean NOT NULL DEFAULT false, nsfw boolean NOT NULL DEFAULT false, embed_title text, embed_description text, thumbnail_url text,
  ap_id varchar(255) NOT NULL UNIQUE, local boolean NOT NULL DEFAULT true, embed_video_url text, language_id integer NOT NULL DEFAULT 0, featured_community boolean NOT NULL DEFAULT false, featured_local boolean NOT NULL DEFAULT false,
  url_content_type text, alt_text text, scheduled_publish_time_at timestamptz, newest_comment_time_necro_at timestamptz, newest_comment_time_at timestamptz, comments integer NOT NULL DEFAULT 0, score integer NOT NULL DEFAULT 0,
  upvotes integer NOT NULL DEFAULT 0, downvotes integer NOT NULL DEFAULT 0, hot_rank real NOT NULL DEFAULT 0, hot_rank_active real NOT NULL DEFAULT 0, controversy_rank real NOT NULL DEFAULT 0, scaled_rank real NOT NULL DEFAULT 0,
  report_count smallint NOT NULL DEFAULT 0, unresolved_report_count smallint NOT NULL DEFAULT 0, federation_pending boolean NOT NULL DEFAULT false, embed_video_width integer, embed_video_height integer
);
CREATE TABLE comment (
  id integer PRIMARY KEY, creator_id integer NOT NULL REFERENCES person ON DELETE CASCADE, post_id integer NOT NULL REFERENCES post ON DELETE CASCADE, content text NOT NULL, removed boolean NOT NULL DEFAULT false, published_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz, deleted boolean NOT NULL DEFAULT false, ap_id varchar(255) NOT NULL UNIQUE, local boolean NOT NULL DEFAULT true, path ltree NOT NULL DEFAULT '0', distinguished boolean NOT NULL DEFAULT false, language_id integer NOT NULL DEFAULT 0,
  score integer NOT NULL DEFAULT 0, upvotes integer NOT NULL DEFAULT 0, downvotes integer NOT NULL DEFAULT 0, child_count integer NOT NULL DEFAULT 0, hot_rank real NOT NULL DEFAULT 0, controversy_rank real NOT NULL DEFAULT 0,
  report_count smallint NOT NULL DEFAULT 0, unresolved_report_count smallint NOT NULL DEFAULT 0, federation_pending boolean NOT NULL DEFAULT false, locked boolean NOT NULL DEFAULT false
);
CREATE TABLE post_actions (
  read_at timestamptz, read_comments_at timestamptz, saved_at timestamptz, voted_at timestamptz, hidden_at timestamptz, person_id integer NOT NULL REFERENCES person ON DELETE CASCADE, post_id integer NOT NULL REFERENCES post ON DELETE CASCADE,
  read_comments_amount integer, vote_is_upvote boolean, notifications post_notifications_mode_enum, PRIMARY KEY (person_id, post_id)
);
CREATE TABLE comment_actions (
  voted_at timestamptz, saved_at timestamptz, person_id integer NOT NULL REFERENCES person ON DELETE CASCADE, comment_id integer NOT NULL REFERENCES comment ON DELETE CASCADE, vote_is_upvote boolean, PRIMARY KEY (person_id, comment_id)
);
CREATE TABLE private_message (
  id integer PRIMARY KEY, creator_id integer NOT NULL REFERENCES person ON DELETE CASCADE, recipient_id integer NOT NULL REFERENCES person ON DELETE CASCADE, content text NOT NULL, deleted boolean NOT NULL DEFAULT false,
  published_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz, ap_id varchar(255) NOT NULL UNIQUE, local boolean NOT NULL DEFAULT true, removed boolean NOT NULL DEFAULT false
);
