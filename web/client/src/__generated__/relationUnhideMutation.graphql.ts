/**
 * @generated SignedSource<<ff8d441559cb434a19c99b63930d637e>>
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
export type relationUnhideMutation$variables = {
  input: UserIdInput;
};
export type relationUnhideMutation$data = {
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
export type relationUnhideMutation = {
  response: relationUnhideMutation$data;
  variables: relationUnhideMutation$variables;
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
    "name": "unhideFromUser",
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
    "name": "relationUnhideMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "relationUnhideMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "67e71ed831d2bff9fb124c3882b48a97",
    "id": null,
    "metadata": {},
    "name": "relationUnhideMutation",
    "operationKind": "mutation",
    "text": "mutation relationUnhideMutation(\n  $input: UserIdInput!\n) {\n  payload: unhideFromUser(input: $input) {\n    user {\n      id\n      isPrivate\n      viewerCanSeePosts\n      viewerFollows\n      viewerFollowRequested\n      viewerMutes\n      viewerHidesFrom\n      viewerBlocks\n      counters {\n        followers\n      }\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "65ca586a2bba70c98385b9d12c90604f";

export default node;
