/**
 * @generated SignedSource<<b2fe49cf415f1bbcc6b0464acb0acdc6>>
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
export type relationMuteMutation$variables = {
  input: UserIdInput;
  until?: string | null | undefined;
};
export type relationMuteMutation$data = {
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
export type relationMuteMutation = {
  response: relationMuteMutation$data;
  variables: relationMuteMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  },
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "until"
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
      },
      {
        "kind": "Variable",
        "name": "until",
        "variableName": "until"
      }
    ],
    "concreteType": "UserPayload",
    "kind": "LinkedField",
    "name": "muteUser",
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
    "name": "relationMuteMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "relationMuteMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "81140f7605dad9e36fc0f1b348550e6e",
    "id": null,
    "metadata": {},
    "name": "relationMuteMutation",
    "operationKind": "mutation",
    "text": "mutation relationMuteMutation(\n  $input: UserIdInput!\n  $until: DateTime\n) {\n  payload: muteUser(input: $input, until: $until) {\n    user {\n      id\n      isPrivate\n      viewerCanSeePosts\n      viewerFollows\n      viewerFollowRequested\n      viewerMutes\n      viewerHidesFrom\n      viewerBlocks\n      counters {\n        followers\n      }\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "11fce7b0b7d530b79b90cb7b8da3b15f";

export default node;
