-- Tables of Misskey, as of 2025, that say who sees what.
CREATE TYPE note_visibility_enum AS ENUM ('public', 'home', 'followers', 'specified');
CREATE TABLE "user" (
  id varchar(32) PRIMARY KEY, "updatedAt" timestamptz, "lastFetchedAt" timestamptz, "lastActiveDate" timestamptz, "hideOnlineStatus" boolean NOT NULL DEFAULT false, username varchar(128) NOT NULL, "usernameLower" varchar(128) NOT NULL,
  name varchar(128), "followersCount" integer NOT NULL DEFAULT 0, "followingCount" integer NOT NULL DEFAULT 0, "movedToUri" varchar(512), "movedAt" timestamptz, "alsoKnownAs" text, "notesCount" integer NOT NULL DEFAULT 0,
  "avatarId" varchar(32), "bannerId" varchar(32), "avatarUrl" varchar(1024), "bannerUrl" varchar(512), "avatarBlurhash" varchar(128), "bannerBlurhash" varchar(128), "avatarDecorations" jsonb NOT NULL DEFAULT '[]',
  tags varchar(128)[] NOT NULL DEFAULT '{}', score integer NOT NULL DEFAULT 0, "isSuspended" boolean NOT NULL DEFAULT false, "isLocked" boolean NOT NULL DEFAULT false, "isBot" boolean NOT NULL DEFAULT false, "isCat" boolean NOT NULL DEFAULT false,
  "isExplorable" boolean NOT NULL DEFAULT true, "isHibernated" boolean NOT NULL DEFAULT false, "requireSigninToViewContents" boolean NOT NULL DEFAULT false, "makeNotesFollowersOnlyBefore" integer, "makeNotesHiddenBefore" integer,
  "isDeleted" boolean NOT NULL DEFAULT false, emojis varchar(128)[] NOT NULL DEFAULT '{}', "chatScope" varchar(128) NOT NULL DEFAULT 'mutual', host varchar(128), inbox varchar(512), "sharedInbox" varchar(512), featured varchar(512),
  uri varchar(512), "followersUri" varchar(512), token char(16)
);
CREATE UNIQUE INDEX "IDX_user_username_host" ON "user" ("usernameLower", host);
CREATE UNIQUE INDEX "IDX_user_token" ON "user" (token);
CREATE TABLE channel (
  id varchar(32) PRIMARY KEY, "lastNotedAt" timestamptz, "userId" varchar(32), name varchar(128) NOT NULL, description varchar(2048), "bannerId" varchar(32), "pinnedNoteIds" varchar(128)[] NOT NULL DEFAULT '{}', color varchar(16) NOT NULL DEFAULT '#2ECC71',
  "isArchived" boolean NOT NULL DEFAULT false, "notesCount" integer NOT NULL DEFAULT 0, "usersCount" integer NOT NULL DEFAULT 0, "isSensitive" boolean NOT NULL DEFAULT false, "allowRenoteToExternal" boolean NOT NULL DEFAULT true
);
CREATE TABLE note (
  id varchar(32) PRIMARY KEY, "replyId" varchar(32), "renoteId" varchar(32), "threadId" varchar(256), text text, name varchar(256), cw varchar(512), "userId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, "localOnly" boolean NOT NULL DEFAULT false,
  "reactionAcceptance" varchar(64), "renoteCount" smallint NOT NULL DEFAULT 0, "repliesCount" smallint NOT NULL DEFAULT 0, "clippedCount" smallint NOT NULL DEFAULT 0, "pageCount" smallint NOT NULL DEFAULT 0, reactions jsonb NOT NULL DEFAULT '{}',
  visibility note_visibility_enum NOT NULL, uri varchar(512), url varchar(512), "fileIds" varchar(32)[] NOT NULL DEFAULT '{}', "attachedFileTypes" varchar(256)[] NOT NULL DEFAULT '{}', "visibleUserIds" varchar(32)[] NOT NULL DEFAULT '{}',
  mentions varchar(32)[] NOT NULL DEFAULT '{}', "mentionedRemoteUsers" text NOT NULL DEFAULT '[]', "reactionAndUserPairCache" varchar(1024)[] NOT NULL DEFAULT '{}', emojis varchar(128)[] NOT NULL DEFAULT '{}', tags varchar(128)[] NOT NULL DEFAULT '{}',
  "hasPoll" boolean NOT NULL DEFAULT false, "channelId" varchar(32) REFERENCES channel ON DELETE CASCADE, "userHost" varchar(128), "replyUserId" varchar(32), "replyUserHost" varchar(128), "renoteUserId" varchar(32), "renoteUserHost" varchar(128),
  "renoteChannelId" varchar(32)
);
CREATE UNIQUE INDEX "IDX_note_uri" ON note (uri);
CREATE TABLE note_draft (id varchar(32) PRIMARY KEY, "userId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, text text, visibility note_visibility_enum NOT NULL, "scheduledAt" timestamptz);
CREATE TABLE following (
  id varchar(32) PRIMARY KEY, "followeeId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, "followerId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, "isFollowerHibernated" boolean NOT NULL DEFAULT false,
  "isFollowerSuspended" boolean NOT NULL DEFAULT false, "withReplies" boolean NOT NULL DEFAULT false, notify varchar(32), "followerHost" varchar(128), "followerInbox" varchar(512), "followerSharedInbox" varchar(512), "followeeHost" varchar(128),
  "followeeInbox" varchar(512), "followeeSharedInbox" varchar(512)
);
CREATE UNIQUE INDEX "IDX_following_pair" ON following ("followerId", "followeeId");
CREATE TABLE follow_request (
  id varchar(32) PRIMARY KEY, "followeeId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, "followerId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, "requestId" varchar(128), "withReplies" boolean NOT NULL DEFAULT false,
  "followerHost" varchar(128), "followerInbox" varchar(512), "followerSharedInbox" varchar(512), "followeeHost" varchar(128), "followeeInbox" varchar(512), "followeeSharedInbox" varchar(512)
);
CREATE UNIQUE INDEX "IDX_follow_request_pair" ON follow_request ("followerId", "followeeId");
CREATE TABLE blocking (id varchar(32) PRIMARY KEY, "blockeeId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, "blockerId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE);
CREATE UNIQUE INDEX "IDX_blocking_pair" ON blocking ("blockerId", "blockeeId");
CREATE TABLE muting (id varchar(32) PRIMARY KEY, "expiresAt" timestamptz, "muteeId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, "muterId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE);
CREATE UNIQUE INDEX "IDX_muting_pair" ON muting ("muterId", "muteeId");
CREATE TABLE note_reaction (id varchar(32) PRIMARY KEY, "createdAt" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP, "userId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, "noteId" varchar(32) NOT NULL REFERENCES note ON DELETE CASCADE, reaction varchar(260) NOT NULL);
CREATE UNIQUE INDEX "IDX_note_reaction_pair" ON note_reaction ("userId", "noteId");
CREATE TABLE note_favorite (id varchar(32) PRIMARY KEY, "userId" varchar(32) NOT NULL REFERENCES "user" ON DELETE CASCADE, "noteId" varchar(32) NOT NULL REFERENCES note ON DELETE CASCADE);
CREATE UNIQUE INDEX "IDX_note_favorite_pair" ON note_favorite ("userId", "noteId");
