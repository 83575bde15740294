/**
 * @generated SignedSource<<362f7ccbdd22962624aaf98baad33cbe>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type ProfilePageQuery$variables = {
  first: number;
  followers: boolean;
  following: boolean;
  handle: string;
  live: boolean;
  posts: boolean;
};
export type ProfilePageQuery$data = {
  readonly user: {
    readonly followers?: {
      readonly " $fragmentSpreads": FragmentRefs<"ProfilePeople_followers">;
    } | null | undefined;
    readonly following?: {
      readonly " $fragmentSpreads": FragmentRefs<"ProfilePeople_following">;
    } | null | undefined;
    readonly id: string;
    readonly isPrivate: boolean;
    readonly live?: {
      readonly " $fragmentSpreads": FragmentRefs<"ProfileLive_user">;
    } | null | undefined;
    readonly name: string;
    readonly posts?: {
      readonly " $fragmentSpreads": FragmentRefs<"ProfilePosts_user">;
    } | null | undefined;
    readonly viewerBlocks: boolean;
    readonly viewerCanSeePosts: boolean;
    readonly viewerFollowRequested: boolean;
    readonly " $fragmentSpreads": FragmentRefs<"ProfilePage_head">;
  } | null | undefined;
};
export type ProfilePageQuery = {
  response: ProfilePageQuery$data;
  variables: ProfilePageQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "first"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "followers"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "following"
},
v3 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "handle"
},
v4 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "live"
},
v5 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "posts"
},
v6 = [
  {
    "kind": "Variable",
    "name": "handle",
    "variableName": "handle"
  }
],
v7 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v8 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "name",
  "storageKey": null
},
v9 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "viewerBlocks",
  "storageKey": null
},
v10 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "viewerFollowRequested",
  "storageKey": null
},
v11 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "viewerCanSeePosts",
  "storageKey": null
},
v12 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "isPrivate",
  "storageKey": null
},
v13 = [
  {
    "kind": "Variable",
    "name": "first",
    "variableName": "first"
  }
],
v14 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "databaseId",
  "storageKey": null
},
v15 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "handle",
  "storageKey": null
},
v16 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "followers",
  "storageKey": null
},
v17 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "viewerFollows",
  "storageKey": null
},
v18 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "viewerMutes",
  "storageKey": null
},
v19 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "viewerHidesFrom",
  "storageKey": null
},
v20 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "cursor",
  "storageKey": null
},
v21 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "text",
  "storageKey": null
},
v22 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "media",
  "storageKey": null
},
v23 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "audience",
  "storageKey": null
},
v24 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "publishedAt",
  "storageKey": null
},
v25 = {
  "alias": null,
  "args": null,
  "concreteType": "UserCounters",
  "kind": "LinkedField",
  "name": "counters",
  "plural": false,
  "selections": [
    (v16/*:: as any*/)
  ],
  "storageKey": null
},
v26 = {
  "alias": null,
  "args": null,
  "concreteType": "PostCounters",
  "kind": "LinkedField",
  "name": "counters",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "likes",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "comments",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "reposts",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "favorites",
      "storageKey": null
    }
  ],
  "storageKey": null
},
v27 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "viewerHasLiked",
  "storageKey": null
},
v28 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "viewerHasFavorited",
  "storageKey": null
},
v29 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "__typename",
  "storageKey": null
},
v30 = {
  "alias": null,
  "args": null,
  "concreteType": "PageInfo",
  "kind": "LinkedField",
  "name": "pageInfo",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "endCursor",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "hasNextPage",
      "storageKey": null
    }
  ],
  "storageKey": null
},
v31 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "UserEdge",
    "kind": "LinkedField",
    "name": "edges",
    "plural": true,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "node",
        "plural": false,
        "selections": [
          (v7/*:: as any*/),
          (v14/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "unavailable",
            "storageKey": null
          },
          (v12/*:: as any*/),
          (v15/*:: as any*/),
          (v8/*:: as any*/),
          (v25/*:: as any*/),
          (v17/*:: as any*/),
          (v10/*:: as any*/),
          (v11/*:: as any*/),
          (v18/*:: as any*/),
          (v19/*:: as any*/),
          (v9/*:: as any*/),
          (v29/*:: as any*/)
        ],
        "storageKey": null
      },
      (v20/*:: as any*/)
    ],
    "storageKey": null
  },
  (v30/*:: as any*/)
],
v32 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "state",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/),
      (v3/*:: as any*/),
      (v4/*:: as any*/),
      (v5/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "ProfilePageQuery",
    "selections": [
      {
        "alias": null,
        "args": (v6/*:: as any*/),
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "user",
        "plural": false,
        "selections": [
          (v7/*:: as any*/),
          (v8/*:: as any*/),
          (v9/*:: as any*/),
          (v10/*:: as any*/),
          (v11/*:: as any*/),
          (v12/*:: as any*/),
          {
            "args": null,
            "kind": "FragmentSpread",
            "name": "ProfilePage_head"
          },
          {
            "condition": "posts",
            "kind": "Condition",
            "passingValue": true,
            "selections": [
              {
                "fragment": {
                  "kind": "InlineFragment",
                  "selections": [
                    {
                      "args": (v13/*:: as any*/),
                      "kind": "FragmentSpread",
                      "name": "ProfilePosts_user"
                    }
                  ],
                  "type": "User",
                  "abstractKey": null
                },
                "kind": "AliasedInlineFragmentSpread",
                "name": "posts"
              }
            ]
          },
          {
            "condition": "following",
            "kind": "Condition",
            "passingValue": true,
            "selections": [
              {
                "fragment": {
                  "kind": "InlineFragment",
                  "selections": [
                    {
                      "args": (v13/*:: as any*/),
                      "kind": "FragmentSpread",
                      "name": "ProfilePeople_following"
                    }
                  ],
                  "type": "User",
                  "abstractKey": null
                },
                "kind": "AliasedInlineFragmentSpread",
                "name": "following"
              }
            ]
          },
          {
            "condition": "followers",
            "kind": "Condition",
            "passingValue": true,
            "selections": [
              {
                "fragment": {
                  "kind": "InlineFragment",
                  "selections": [
                    {
                      "args": (v13/*:: as any*/),
                      "kind": "FragmentSpread",
                      "name": "ProfilePeople_followers"
                    }
                  ],
                  "type": "User",
                  "abstractKey": null
                },
                "kind": "AliasedInlineFragmentSpread",
                "name": "followers"
              }
            ]
          },
          {
            "condition": "live",
            "kind": "Condition",
            "passingValue": true,
            "selections": [
              {
                "fragment": {
                  "kind": "InlineFragment",
                  "selections": [
                    {
                      "args": (v13/*:: as any*/),
                      "kind": "FragmentSpread",
                      "name": "ProfileLive_user"
                    }
                  ],
                  "type": "User",
                  "abstractKey": null
                },
                "kind": "AliasedInlineFragmentSpread",
                "name": "live"
              }
            ]
          }
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v3/*:: as any*/),
      (v0/*:: as any*/),
      (v5/*:: as any*/),
      (v2/*:: as any*/),
      (v1/*:: as any*/),
      (v4/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "ProfilePageQuery",
    "selections": [
      {
        "alias": null,
        "args": (v6/*:: as any*/),
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "user",
        "plural": false,
        "selections": [
          (v7/*:: as any*/),
          (v8/*:: as any*/),
          (v9/*:: as any*/),
          (v10/*:: as any*/),
          (v11/*:: as any*/),
          (v12/*:: as any*/),
          (v14/*:: as any*/),
          (v15/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "createdAt",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "UserCounters",
            "kind": "LinkedField",
            "name": "counters",
            "plural": false,
            "selections": [
              (v16/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "following",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "posts",
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          (v17/*:: as any*/),
          (v18/*:: as any*/),
          (v19/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "concreteType": "FollowOptions",
            "kind": "LinkedField",
            "name": "viewerFollowOptions",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "special",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "hideReposts",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "hideReplies",
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "condition": "posts",
            "kind": "Condition",
            "passingValue": true,
            "selections": [
              {
                "alias": null,
                "args": (v13/*:: as any*/),
                "concreteType": "FeedConnection",
                "kind": "LinkedField",
                "name": "posts",
                "plural": false,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "FeedEdge",
                    "kind": "LinkedField",
                    "name": "edges",
                    "plural": true,
                    "selections": [
                      (v20/*:: as any*/),
                      {
                        "alias": null,
                        "args": null,
                        "concreteType": "Post",
                        "kind": "LinkedField",
                        "name": "node",
                        "plural": false,
                        "selections": [
                          (v7/*:: as any*/),
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "kind",
                            "storageKey": null
                          },
                          (v21/*:: as any*/),
                          (v22/*:: as any*/),
                          (v23/*:: as any*/),
                          (v24/*:: as any*/),
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "editedAt",
                            "storageKey": null
                          },
                          {
                            "alias": null,
                            "args": null,
                            "concreteType": "Moderation",
                            "kind": "LinkedField",
                            "name": "moderation",
                            "plural": false,
                            "selections": [
                              {
                                "alias": null,
                                "args": null,
                                "kind": "ScalarField",
                                "name": "reason",
                                "storageKey": null
                              },
                              {
                                "alias": null,
                                "args": null,
                                "kind": "ScalarField",
                                "name": "at",
                                "storageKey": null
                              }
                            ],
                            "storageKey": null
                          },
                          {
                            "alias": null,
                            "args": null,
                            "concreteType": "User",
                            "kind": "LinkedField",
                            "name": "author",
                            "plural": false,
                            "selections": [
                              (v7/*:: as any*/),
                              (v14/*:: as any*/),
                              (v15/*:: as any*/),
                              (v8/*:: as any*/),
                              (v12/*:: as any*/),
                              (v11/*:: as any*/),
                              (v17/*:: as any*/),
                              (v10/*:: as any*/),
                              (v18/*:: as any*/),
                              (v19/*:: as any*/),
                              (v9/*:: as any*/),
                              (v25/*:: as any*/)
                            ],
                            "storageKey": null
                          },
                          {
                            "alias": null,
                            "args": null,
                            "concreteType": "Post",
                            "kind": "LinkedField",
                            "name": "replyTo",
                            "plural": false,
                            "selections": [
                              (v7/*:: as any*/),
                              {
                                "alias": null,
                                "args": null,
                                "concreteType": "User",
                                "kind": "LinkedField",
                                "name": "author",
                                "plural": false,
                                "selections": [
                                  (v15/*:: as any*/),
                                  (v8/*:: as any*/),
                                  (v7/*:: as any*/),
                                  (v14/*:: as any*/)
                                ],
                                "storageKey": null
                              }
                            ],
                            "storageKey": null
                          },
                          {
                            "alias": null,
                            "args": null,
                            "concreteType": "Post",
                            "kind": "LinkedField",
                            "name": "repostOf",
                            "plural": false,
                            "selections": [
                              (v7/*:: as any*/),
                              (v21/*:: as any*/),
                              (v22/*:: as any*/),
                              (v23/*:: as any*/),
                              (v24/*:: as any*/),
                              {
                                "alias": null,
                                "args": null,
                                "concreteType": "User",
                                "kind": "LinkedField",
                                "name": "author",
                                "plural": false,
                                "selections": [
                                  (v14/*:: as any*/),
                                  (v15/*:: as any*/),
                                  (v8/*:: as any*/),
                                  (v7/*:: as any*/),
                                  (v12/*:: as any*/)
                                ],
                                "storageKey": null
                              },
                              {
                                "alias": null,
                                "args": null,
                                "concreteType": "Post",
                                "kind": "LinkedField",
                                "name": "replyTo",
                                "plural": false,
                                "selections": [
                                  {
                                    "alias": null,
                                    "args": null,
                                    "concreteType": "User",
                                    "kind": "LinkedField",
                                    "name": "author",
                                    "plural": false,
                                    "selections": [
                                      (v14/*:: as any*/),
                                      (v7/*:: as any*/)
                                    ],
                                    "storageKey": null
                                  },
                                  (v7/*:: as any*/)
                                ],
                                "storageKey": null
                              },
                              (v26/*:: as any*/),
                              (v27/*:: as any*/),
                              (v28/*:: as any*/)
                            ],
                            "storageKey": null
                          },
                          (v26/*:: as any*/),
                          (v27/*:: as any*/),
                          (v28/*:: as any*/),
                          (v29/*:: as any*/)
                        ],
                        "storageKey": null
                      }
                    ],
                    "storageKey": null
                  },
                  (v30/*:: as any*/)
                ],
                "storageKey": null
              },
              {
                "alias": null,
                "args": (v13/*:: as any*/),
                "filters": null,
                "handle": "connection",
                "key": "ProfilePosts_posts",
                "kind": "LinkedHandle",
                "name": "posts"
              }
            ]
          },
          {
            "condition": "following",
            "kind": "Condition",
            "passingValue": true,
            "selections": [
              {
                "alias": null,
                "args": (v13/*:: as any*/),
                "concreteType": "UserConnection",
                "kind": "LinkedField",
                "name": "following",
                "plural": false,
                "selections": (v31/*:: as any*/),
                "storageKey": null
              },
              {
                "alias": null,
                "args": (v13/*:: as any*/),
                "filters": null,
                "handle": "connection",
                "key": "ProfilePeople_following",
                "kind": "LinkedHandle",
                "name": "following"
              }
            ]
          },
          {
            "condition": "followers",
            "kind": "Condition",
            "passingValue": true,
            "selections": [
              {
                "alias": null,
                "args": (v13/*:: as any*/),
                "concreteType": "UserConnection",
                "kind": "LinkedField",
                "name": "followers",
                "plural": false,
                "selections": (v31/*:: as any*/),
                "storageKey": null
              },
              {
                "alias": null,
                "args": (v13/*:: as any*/),
                "filters": null,
                "handle": "connection",
                "key": "ProfilePeople_followers",
                "kind": "LinkedHandle",
                "name": "followers"
              }
            ]
          },
          {
            "condition": "live",
            "kind": "Condition",
            "passingValue": true,
            "selections": [
              {
                "alias": null,
                "args": (v13/*:: as any*/),
                "concreteType": "LiveConnection",
                "kind": "LinkedField",
                "name": "liveSessions",
                "plural": false,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "LiveEdge",
                    "kind": "LinkedField",
                    "name": "edges",
                    "plural": true,
                    "selections": [
                      (v32/*:: as any*/),
                      {
                        "alias": null,
                        "args": null,
                        "concreteType": "LiveSession",
                        "kind": "LinkedField",
                        "name": "node",
                        "plural": false,
                        "selections": [
                          (v7/*:: as any*/),
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "title",
                            "storageKey": null
                          },
                          (v32/*:: as any*/),
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "scheduledAt",
                            "storageKey": null
                          },
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "startedAt",
                            "storageKey": null
                          },
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "endedAt",
                            "storageKey": null
                          },
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "replayUrl",
                            "storageKey": null
                          },
                          {
                            "alias": null,
                            "args": null,
                            "concreteType": "User",
                            "kind": "LinkedField",
                            "name": "host",
                            "plural": false,
                            "selections": [
                              (v14/*:: as any*/),
                              (v15/*:: as any*/),
                              (v8/*:: as any*/),
                              (v7/*:: as any*/)
                            ],
                            "storageKey": null
                          },
                          (v29/*:: as any*/)
                        ],
                        "storageKey": null
                      },
                      (v20/*:: as any*/)
                    ],
                    "storageKey": null
                  },
                  (v30/*:: as any*/)
                ],
                "storageKey": null
              },
              {
                "alias": null,
                "args": (v13/*:: as any*/),
                "filters": null,
                "handle": "connection",
                "key": "ProfileLive_liveSessions",
                "kind": "LinkedHandle",
                "name": "liveSessions"
              }
            ]
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "0a377ddf1c5fdb5266cf13465c3cf9ea",
    "id": null,
    "metadata": {},
    "name": "ProfilePageQuery",
    "operationKind": "query",
    "text": "query ProfilePageQuery(\n  $handle: String!\n  $first: Int!\n  $posts: Boolean!\n  $following: Boolean!\n  $followers: Boolean!\n  $live: Boolean!\n) {\n  user(handle: $handle) {\n    id\n    name\n    viewerBlocks\n    viewerFollowRequested\n    viewerCanSeePosts\n    isPrivate\n    ...ProfilePage_head\n    ...ProfilePosts_user_3ASum4 @include(if: $posts)\n    ...ProfilePeople_following_3ASum4 @include(if: $following)\n    ...ProfilePeople_followers_3ASum4 @include(if: $followers)\n    ...ProfileLive_user_3ASum4 @include(if: $live)\n  }\n}\n\nfragment FollowButton_user on User {\n  handle\n  viewerFollows\n  viewerFollowRequested\n  ...useRelations_user\n}\n\nfragment FollowerActions_user on User {\n  id\n  handle\n  ...FollowButton_user\n}\n\nfragment LiveCard_session on LiveSession {\n  id\n  title\n  state\n  scheduledAt\n  startedAt\n  endedAt\n  replayUrl\n  host {\n    databaseId\n    handle\n    name\n    id\n  }\n}\n\nfragment PersonRow_user on User {\n  databaseId\n  unavailable\n  isPrivate\n  handle\n  name\n  counters {\n    followers\n  }\n  ...FollowButton_user\n}\n\nfragment PostActions_post on Post {\n  id\n  text\n  audience\n  author {\n    databaseId\n    handle\n    name\n    isPrivate\n    id\n  }\n  replyTo {\n    author {\n      databaseId\n      id\n    }\n    id\n  }\n  counters {\n    likes\n    comments\n    reposts\n    favorites\n  }\n  viewerHasLiked\n  viewerHasFavorited\n}\n\nfragment PostCard_post on Post {\n  id\n  kind\n  text\n  media\n  audience\n  publishedAt\n  editedAt\n  moderation {\n    reason\n    at\n  }\n  author {\n    id\n    databaseId\n    handle\n    name\n  }\n  replyTo {\n    id\n    author {\n      handle\n      name\n      id\n    }\n  }\n  repostOf {\n    id\n    ...PostCard_quoted\n    ...PostActions_post\n  }\n  ...PostActions_post\n  ...PostMenu_post\n}\n\nfragment PostCard_quoted on Post {\n  id\n  text\n  media\n  audience\n  publishedAt\n  author {\n    databaseId\n    handle\n    name\n    id\n  }\n}\n\nfragment PostMenu_post on Post {\n  id\n  author {\n    handle\n    ...useRelations_user\n    id\n  }\n  replyTo {\n    id\n  }\n  repostOf {\n    id\n  }\n}\n\nfragment ProfileLive_user_3ASum4 on User {\n  name\n  liveSessions(first: $first) {\n    edges {\n      state\n      node {\n        id\n        ...LiveCard_session\n        __typename\n      }\n      cursor\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n  id\n}\n\nfragment ProfilePage_head on User {\n  id\n  databaseId\n  handle\n  name\n  isPrivate\n  createdAt\n  counters {\n    followers\n    following\n    posts\n  }\n  ...FollowButton_user\n  ...RelationMenu_user\n  ...RelationNotes_user\n  ...UserSanction_user\n  ...useFollowOptions_user\n}\n\nfragment ProfilePeople_followers_3ASum4 on User {\n  databaseId\n  name\n  followers(first: $first) {\n    edges {\n      node {\n        id\n        ...PersonRow_user\n        ...FollowerActions_user\n        __typename\n      }\n      cursor\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n  id\n}\n\nfragment ProfilePeople_following_3ASum4 on User {\n  name\n  following(first: $first) {\n    edges {\n      node {\n        id\n        ...PersonRow_user\n        __typename\n      }\n      cursor\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n  id\n}\n\nfragment ProfilePosts_user_3ASum4 on User {\n  name\n  posts(first: $first) {\n    edges {\n      cursor\n      node {\n        id\n        ...PostCard_post\n        __typename\n      }\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n  id\n}\n\nfragment RelationMenu_user on User {\n  handle\n  ...useRelations_user\n}\n\nfragment RelationNotes_user on User {\n  ...useRelations_user\n}\n\nfragment UserSanction_user on User {\n  id\n  handle\n}\n\nfragment useFollowOptions_user on User {\n  id\n  handle\n  viewerFollows\n  viewerFollowOptions {\n    special\n    hideReposts\n    hideReplies\n  }\n}\n\nfragment useRelations_user on User {\n  handle\n  id\n  isPrivate\n  viewerCanSeePosts\n  viewerFollows\n  viewerFollowRequested\n  viewerMutes\n  viewerHidesFrom\n  viewerBlocks\n  counters {\n    followers\n  }\n}\n"
  }
};
})();

(node as any).hash = "a3f1c9c1c0020783bd423c05d6c6f13b";

export default node;
