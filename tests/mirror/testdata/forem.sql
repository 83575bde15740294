-- Tables of Forem, as of August 2022, that say who sees what.
CREATE TABLE users (
  id bigserial PRIMARY KEY, apple_username varchar, articles_count integer NOT NULL DEFAULT 0, badge_achievements_count integer NOT NULL DEFAULT 0, blocked_by_count bigint NOT NULL DEFAULT 0, blocking_others_count bigint NOT NULL DEFAULT 0,
  checked_code_of_conduct boolean DEFAULT false, checked_terms_and_conditions boolean DEFAULT false, comments_count integer NOT NULL DEFAULT 0, confirmation_sent_at timestamp, confirmation_token varchar UNIQUE, confirmed_at timestamp, created_at timestamp NOT NULL,
  credits_count integer NOT NULL DEFAULT 0, current_sign_in_at timestamp, current_sign_in_ip inet, email varchar UNIQUE, encrypted_password varchar NOT NULL DEFAULT '', export_requested boolean DEFAULT false, exported_at timestamp, facebook_username varchar,
  failed_attempts integer DEFAULT 0, feed_fetched_at timestamp DEFAULT '2017-01-01 05:00:00', following_orgs_count integer NOT NULL DEFAULT 0, following_tags_count integer NOT NULL DEFAULT 0, following_users_count integer NOT NULL DEFAULT 0, forem_username varchar,
  github_repos_updated_at timestamp DEFAULT '2017-01-01 05:00:00', github_username varchar UNIQUE, google_oauth2_created_at timestamp, google_oauth2_username varchar, invitation_accepted_at timestamp, invitation_created_at timestamp, invitation_limit integer,
  invitation_sent_at timestamp, invitation_token varchar UNIQUE, invitations_count integer DEFAULT 0, invited_by_id bigint, invited_by_type varchar, last_article_at timestamp DEFAULT '2017-01-01 05:00:00', last_comment_at timestamp DEFAULT '2017-01-01 05:00:00',
  last_followed_at timestamp, last_moderation_notification timestamp DEFAULT '2017-01-01 05:00:00', last_notification_activity timestamp, last_onboarding_page varchar, last_reacted_at timestamp, last_sign_in_at timestamp, last_sign_in_ip inet,
  latest_article_updated_at timestamp, locked_at timestamp, name varchar, old_old_username varchar, old_username varchar, onboarding_package_requested boolean DEFAULT false, organization_info_updated_at timestamp, payment_pointer varchar, profile_image varchar,
  profile_updated_at timestamp DEFAULT '2017-01-01 05:00:00', rating_votes_count integer NOT NULL DEFAULT 0, reactions_count integer NOT NULL DEFAULT 0, registered boolean DEFAULT true, registered_at timestamp, remember_created_at timestamp, remember_token varchar,
  reputation_modifier double precision DEFAULT 1.0, reset_password_sent_at timestamp, reset_password_token varchar UNIQUE, saw_onboarding boolean DEFAULT false, score integer DEFAULT 0, secret varchar, sign_in_count integer NOT NULL DEFAULT 0,
  signup_cta_variant varchar, spent_credits_count integer NOT NULL DEFAULT 0, stripe_id_code varchar, subscribed_to_user_subscriptions_count integer NOT NULL DEFAULT 0, twitter_username varchar UNIQUE, unconfirmed_email varchar, unlock_token varchar,
  unspent_credits_count integer NOT NULL DEFAULT 0, updated_at timestamp NOT NULL, username varchar UNIQUE CHECK (username IS NOT NULL), workshop_expiration timestamp
);
CREATE TABLE roles (id bigserial PRIMARY KEY, created_at timestamp, name varchar, resource_id bigint, resource_type varchar, updated_at timestamp);
CREATE TABLE users_roles (role_id bigint REFERENCES roles ON DELETE CASCADE, user_id bigint REFERENCES users ON DELETE CASCADE);
CREATE TABLE articles (
  id bigserial PRIMARY KEY, any_comments_hidden boolean DEFAULT false, approved boolean DEFAULT false, archived boolean DEFAULT false, body_html text, body_markdown text, cached_organization text, cached_tag_list varchar, cached_user text, cached_user_name varchar,
  cached_user_username varchar, canonical_url varchar, co_author_ids bigint[] DEFAULT '{}', collection_id bigint, comment_score integer DEFAULT 0, comment_template varchar, comments_count integer NOT NULL DEFAULT 0, created_at timestamp NOT NULL,
  crossposted_at timestamp, description varchar, edited_at timestamp, email_digest_eligible boolean DEFAULT true, experience_level_rating double precision DEFAULT 5.0, experience_level_rating_distribution double precision DEFAULT 5.0, featured boolean DEFAULT false,
  featured_number integer, feed_source_url varchar, hotness_score integer DEFAULT 0, last_comment_at timestamp DEFAULT '2017-01-01 05:00:00', last_experience_level_rating_at timestamp, main_image varchar, main_image_background_hex_color varchar DEFAULT '#dddddd',
  main_image_from_frontmatter boolean DEFAULT false, nth_published_by_author integer DEFAULT 0, organic_page_views_count integer DEFAULT 0, organic_page_views_past_month_count integer DEFAULT 0, organic_page_views_past_week_count integer DEFAULT 0,
  organization_id bigint, originally_published_at timestamp, page_views_count integer DEFAULT 0, password varchar, path varchar, positive_reactions_count integer NOT NULL DEFAULT 0, previous_positive_reactions_count integer DEFAULT 0,
  previous_public_reactions_count integer NOT NULL DEFAULT 0, privileged_users_reaction_points_sum integer DEFAULT 0, processed_html text, public_reactions_count integer NOT NULL DEFAULT 0, published boolean DEFAULT false, published_at timestamp,
  published_from_feed boolean DEFAULT false, rating_votes_count integer NOT NULL DEFAULT 0, reactions_count integer NOT NULL DEFAULT 0, reading_list_document tsvector, reading_time integer DEFAULT 0, receive_notifications boolean DEFAULT true,
  score integer DEFAULT 0, search_optimized_description_replacement varchar, search_optimized_title_preamble varchar, show_comments boolean DEFAULT true, slug text, social_image varchar, title varchar, updated_at timestamp NOT NULL,
  user_id bigint REFERENCES users ON DELETE CASCADE, user_subscriptions_count integer NOT NULL DEFAULT 0, video varchar, video_closed_caption_track_url varchar, video_code varchar, video_duration_in_seconds double precision DEFAULT 0.0, video_source_url varchar,
  video_state varchar, video_thumbnail_url varchar
);
CREATE TABLE comments (
  id bigserial PRIMARY KEY, ancestry varchar, body_markdown text, commentable_id bigint, commentable_type varchar, created_at timestamp NOT NULL, deleted boolean DEFAULT false, hidden_by_commentable_user boolean DEFAULT false, score integer DEFAULT 0,
  updated_at timestamp NOT NULL, user_id bigint REFERENCES users ON DELETE CASCADE
);
CREATE TABLE follows (
  id bigserial PRIMARY KEY, blocked boolean NOT NULL DEFAULT false, created_at timestamp, explicit_points double precision DEFAULT 1.0, followable_id bigint NOT NULL, followable_type varchar NOT NULL, follower_id bigint NOT NULL, follower_type varchar NOT NULL,
  implicit_points double precision DEFAULT 0.0, points double precision DEFAULT 1.0, subscription_status varchar NOT NULL DEFAULT 'all_articles', updated_at timestamp
);
CREATE UNIQUE INDEX index_follows_on_followable_and_follower ON follows (followable_id, followable_type, follower_id, follower_type);
CREATE TABLE user_blocks (id bigserial PRIMARY KEY, blocked_id bigint NOT NULL REFERENCES users, blocker_id bigint NOT NULL REFERENCES users, config varchar NOT NULL DEFAULT 'default', created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
CREATE UNIQUE INDEX index_user_blocks_on_blocked_id_and_blocker_id ON user_blocks (blocked_id, blocker_id);
CREATE TABLE reactions (
  id bigserial PRIMARY KEY, category varchar, created_at timestamp NOT NULL, points double precision DEFAULT 1.0, reactable_id bigint, reactable_type varchar, status varchar DEFAULT 'valid', updated_at timestamp NOT NULL, user_id bigint REFERENCES users ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_reactions_on_user_id_reactable_id_reactable_type_category ON reactions (user_id, reactable_id, reactable_type, category);
