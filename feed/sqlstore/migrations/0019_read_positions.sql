-- Where users have stopped reading their home feed. The device '' stands for all devices without a name.
CREATE TABLE read_positions (
    user_id    BIGINT NOT NULL {{references users}},
    device     TEXT   NOT NULL {{bytewise}},
    cursor     TEXT   NOT NULL,
    sync_token TEXT   NOT NULL,
    marked_at  BIGINT NOT NULL,
    PRIMARY KEY (user_id, device)
) {{without rowid}};
