package graph_test

// contract is the public contract as signature prints it, by name.
const contract = `scalar DateTime
input_object DeleteAccountInput
  confirmHandle: String!
  clientMutationId: String
object DeleteAccountPayload
  deletedUserId: ID
  userErrors: [UserError!]!
  clientMutationId: String
object DeletePostPayload
  deletedPostId: ID
  userErrors: [UserError!]!
  clientMutationId: String
input_object EditPostInput
  postId: ID!
  text: String!
  clientMutationId: String
object EditPostPayload
  post: Post
  userErrors: [UserError!]!
  clientMutationId: String
input_object EndLiveInput
  liveSessionId: ID!
  replayUrl: URL
  clientMutationId: String
object FeedConnection
  edges: [FeedEdge!]!
  nodes: [Post!]!
  pageInfo: PageInfo!
  newCount(since: String!): Int!
object FeedEdge
  cursor: String!
  node: Post!
object LiveConnection
  edges: [LiveEdge!]!
  nodes: [LiveSession!]!
  pageInfo: PageInfo!
  snapshotAt: DateTime!
object LiveEdge
  cursor: String!
  node: LiveSession!
  state: LiveState!
input_object LiveIdInput
  liveSessionId: ID!
  clientMutationId: String
object LivePayload
  liveSession: LiveSession
  userErrors: [UserError!]!
  clientMutationId: String
object LiveSession implements Node
  id: ID!
  databaseId: String!
  host: User!
  title: String!
  state: LiveState!
  scheduledAt: DateTime!
  startedAt: DateTime
  endedAt: DateTime
  replayUrl: URL
enum LiveState LIVE UPCOMING REPLAY
object Mutation
  publishPost(input: PublishPostInput!): PublishPostPayload!
  editPost(input: EditPostInput!): EditPostPayload!
  deletePost(input: PostIdInput!): DeletePostPayload!
  likePost(input: PostIdInput!): PostPayload!
  unlikePost(input: PostIdInput!): PostPayload!
  favoritePost(input: PostIdInput!): PostPayload!
  unfavoritePost(input: PostIdInput!): PostPayload!
  followUser(input: UserIdInput!): UserPayload!
  unfollowUser(input: UserIdInput!): UserPayload!
  muteUser(input: UserIdInput!): UserPayload!
  unmuteUser(input: UserIdInput!): UserPayload!
  hideFromUser(input: UserIdInput!): UserPayload!
  unhideFromUser(input: UserIdInput!): UserPayload!
  blockUser(input: UserIdInput!): UserPayload!
  unblockUser(input: UserIdInput!): UserPayload!
  scheduleLive(input: ScheduleLiveInput!): LivePayload!
  rescheduleLive(input: RescheduleLiveInput!): LivePayload!
  startLive(input: LiveIdInput!): LivePayload!
  endLive(input: EndLiveInput!): LivePayload!
  cancelLive(input: LiveIdInput!): LivePayload!
  updateProfile(input: UpdateProfileInput!): UserPayload!
  deleteAccount(input: DeleteAccountInput!): DeleteAccountPayload!
interface Node
  id: ID!
object PageInfo
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
  endCursor: String
object Post implements Node
  id: ID!
  databaseId: String!
  kind: PostKind!
  text: String!
  media: [URL!]!
  author: User!
  publishedAt: DateTime!
  editedAt: DateTime
  replyTo: Post
  repostOf: Post
  counters: PostCounters!
  comments(first: Int, after: String): FeedConnection!
  viewerHasLiked: Boolean!
  viewerHasFavorited: Boolean!
object PostCounters
  likes: Int!
  comments: Int!
  reposts: Int!
  favorites: Int!
input_object PostIdInput
  postId: ID!
  clientMutationId: String
enum PostKind POST COMMENT REPOST
object PostPayload
  post: Post
  userErrors: [UserError!]!
  clientMutationId: String
input_object PublishPostInput
  text: String!
  media: [URL!]
  replyTo: ID
  repostOf: ID
  publishedAt: DateTime
  idempotencyKey: String
  clientMutationId: String
object PublishPostPayload
  post: Post
  feedEdge: FeedEdge
  userErrors: [UserError!]!
  clientMutationId: String
object Query
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  viewer: Viewer
  user(handle: String!): User
  users(query: String!, first: Int, after: String): UserConnection!
input_object RescheduleLiveInput
  liveSessionId: ID!
  scheduledAt: DateTime!
  clientMutationId: String
input_object ScheduleLiveInput
  title: String!
  scheduledAt: DateTime!
  clientMutationId: String
object Subscription
  homeFeedEdges: FeedEdge!
scalar URL
input_object UpdateProfileInput
  handle: String
  name: String
  avatarUrl: URL
  clientMutationId: String
object User implements Node
  id: ID!
  databaseId: String!
  unavailable: Boolean!
  handle: String!
  name: String!
  avatarUrl: URL
  createdAt: DateTime!
  counters: UserCounters!
  posts(first: Int, after: String, last: Int, before: String, kinds: [PostKind!]): FeedConnection!
  followers(first: Int, after: String): UserConnection!
  following(first: Int, after: String): UserConnection!
  liveSessions(first: Int, after: String): LiveConnection!
  viewerFollows: Boolean!
  viewerMutes: Boolean!
  viewerHidesFrom: Boolean!
  viewerBlocks: Boolean!
object UserConnection
  edges: [UserEdge!]!
  nodes: [User!]!
  pageInfo: PageInfo!
object UserCounters
  followers: Int!
  following: Int!
  posts: Int!
object UserEdge
  cursor: String!
  node: User!
object UserError
  code: UserErrorCode!
  message: String!
  field: [String!]
enum UserErrorCode NOT_FOUND INVALID TOO_LONG FOLLOW_LIMIT CONFLICT FORBIDDEN
input_object UserIdInput
  userId: ID!
  clientMutationId: String
object UserPayload
  user: User
  userErrors: [UserError!]!
  clientMutationId: String
object Viewer
  user: User!
  mutedUsers(first: Int, after: String): UserConnection!
  hiddenFromUsers(first: Int, after: String): UserConnection!
  blockedUsers(first: Int, after: String): UserConnection!
  homeFeed(first: Int, after: String, last: Int, before: String, kinds: [PostKind!]): FeedConnection!
  liveFeed(first: Int, after: String): LiveConnection!
`
