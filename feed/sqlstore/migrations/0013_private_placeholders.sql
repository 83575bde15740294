-- Set once a source has said that a user's account is private: users without a record are private then.
ALTER TABLE feed_state ADD COLUMN private_placeholders SMALLINT NOT NULL DEFAULT 0;
