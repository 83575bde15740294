/**
 * @generated SignedSource<<d8c7042e799eb669ca0379d15393cb9c>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "CONFLICT" | "FOLLOW_LIMIT" | "FORBIDDEN" | "INVALID" | "NOT_FOUND" | "TOO_LONG";
export type UserIdInput = {
  clientMutationId?: string | null | undefined;
  userId: string;
};
export type useFollowOptionsMutation$variables = {
  hideReplies?: boolean | null | undefined;
  hideReposts?: boolean | null | undefined;
  input: UserIdInput;
  special?: boolean | null | undefined;
};
export type useFollowOptionsMutation$data = {
  readonly updateFollow: {
    readonly user: {
      readonly id: string;
      readonly viewerFollowOptions: {
        readonly hideReplies: boolean;
        readonly hideReposts: boolean;
        readonly special: boolean;
      } | null | undefined;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type useFollowOptionsMutation = {
  response: useFollowOptionsMutation$data;
  variables: useFollowOptionsMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "hideReplies"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "hideReposts"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "input"
},
v3 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "special"
},
v4 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "hideReplies",
        "variableName": "hideReplies"
      },
      {
        "kind": "Variable",
        "name": "hideReposts",
        "variableName": "hideReposts"
      },
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      },
      {
        "kind": "Variable",
        "name": "special",
        "variableName": "special"
      }
    ],
    "concreteType": "UserPayload",
    "kind": "LinkedField",
    "name": "updateFollow",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "user",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          },
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
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "UserError",
        "kind": "LinkedField",
        "name": "userErrors",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "code",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "message",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/),
      (v3/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "useFollowOptionsMutation",
    "selections": (v4/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v2/*:: as any*/),
      (v3/*:: as any*/),
      (v1/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "useFollowOptionsMutation",
    "selections": (v4/*:: as any*/)
  },
  "params": {
    "cacheID": "aee8b08dd7189958e29c1bed32c1129e",
    "id": null,
    "metadata": {},
    "name": "useFollowOptionsMutation",
    "operationKind": "mutation",
    "text": "mutation useFollowOptionsMutation(\n  $input: UserIdInput!\n  $special: Boolean\n  $hideReposts: Boolean\n  $hideReplies: Boolean\n) {\n  updateFollow(input: $input, special: $special, hideReposts: $hideReposts, hideReplies: $hideReplies) {\n    user {\n      id\n      viewerFollowOptions {\n        special\n        hideReposts\n        hideReplies\n      }\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "8efc6caccd33b4f7872e5ec1acb53119";

export default node;
