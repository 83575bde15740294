/**
 * @generated SignedSource<<8b7c07a075c03e91b98337c52725075a>>
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
export type relationBlockMutation$variables = {
  input: UserIdInput;
};
export type relationBlockMutation$data = {
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
export type relationBlockMutation = {
  response: relationBlockMutation$data;
  variables: relationBlockMutation$variables;
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
    "name": "blockUser",
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
    "name": "relationBlockMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "relationBlockMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "77463b2d051073e9542c7ef0d29a13b2",
    "id": null,
    "metadata": {},
    "name": "relationBlockMutation",
    "operationKind": "mutation",
    "text": "mutation relationBlockMutation(\n  $input: UserIdInput!\n) {\n  payload: blockUser(input: $input) {\n    user {\n      id\n      isPrivate\n      viewerCanSeePosts\n      viewerFollows\n      viewerFollowRequested\n      viewerMutes\n      viewerHidesFrom\n      viewerBlocks\n      counters {\n        followers\n      }\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "83c739d2c1821efd7c7dbab04b43e870";

export default node;
