/**
 * @generated SignedSource<<036ae0bd4cdc2ca4a56db997b6f31aa7>>
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
export type relationFollowMutation$variables = {
  input: UserIdInput;
};
export type relationFollowMutation$data = {
  readonly payload: {
    readonly user: {
      readonly counters: {
        readonly followers: number;
      };
      readonly id: string;
      readonly isPrivate: boolean;
      readonly viewerBlocks: boolean;
      readonly viewerCanSeePosts: boolean;
      readonly viewerFollowRequested: boolean;
      readonly viewerFollows: boolean;
      readonly viewerHidesFrom: boolean;
      readonly viewerMutes: boolean;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type relationFollowMutation = {
  response: relationFollowMutation$data;
  variables: relationFollowMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": "payload",
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "UserPayload",
    "kind": "LinkedField",
    "name": "followUser",
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
            "kind": "ScalarField",
            "name": "isPrivate",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "viewerCanSeePosts",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "viewerFollows",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "viewerFollowRequested",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "viewerMutes",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "viewerHidesFrom",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "viewerBlocks",
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
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "followers",
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
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "relationFollowMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "relationFollowMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "099138400b3ab6dac73bb5baed88c618",
    "id": null,
    "metadata": {},
    "name": "relationFollowMutation",
    "operationKind": "mutation",
    "text": "mutation relationFollowMutation(\n  $input: UserIdInput!\n) {\n  payload: followUser(input: $input) {\n    user {\n      id\n      isPrivate\n      viewerCanSeePosts\n      viewerFollows\n      viewerFollowRequested\n      viewerMutes\n      viewerHidesFrom\n      viewerBlocks\n      counters {\n        followers\n      }\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "9d54221965ca0288f1a84647c72d4364";

export default node;
