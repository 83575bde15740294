-- Tokens that end before their time, by the hash of each, until they would have ended by
-- themselves. An empty token stands for all of a user's: the account is deleted.
CREATE TABLE revocations (
    user_id    BIGINT NOT NULL,
    token      TEXT   NOT NULL,
    revoked_at BIGINT NOT NULL,
    until      BIGINT NOT NULL,
    PRIMARY KEY (user_id, token)
);
CREATE INDEX revocations_at ON revocations (revoked_at);
CREATE INDEX revocations_until ON revocations (until);
