/**
 * @generated SignedSource<<e059499e85acc0a6648d864668b3bc73>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "CONFLICT" | "FOLLOW_LIMIT" | "FORBIDDEN" | "INVALID" | "NOT_FOUND" | "TOO_LONG";
export type PostIdInput = {
  clientMutationId?: string | null | undefined;
  postId: string;
};
export type PostMutationsUnfavoriteMutation$variables = {
  input: PostIdInput;
};
export type PostMutationsUnfavoriteMutation$data = {
  readonly payload: {
    readonly post: {
      readonly counters: {
        readonly favorites: number;
      };
      readonly id: string;
      readonly viewerHasFavorited: boolean;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type PostMutationsUnfavoriteMutation$rawResponse = {
  readonly payload: {
    readonly post: {
      readonly counters: {
        readonly favorites: number;
      };
      readonly id: string;
      readonly viewerHasFavorited: boolean;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type PostMutationsUnfavoriteMutation = {
  rawResponse: PostMutationsUnfavoriteMutation$rawResponse;
  response: PostMutationsUnfavoriteMutation$data;
  variables: PostMutationsUnfavoriteMutation$variables;
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
    "concreteType": "PostPayload",
    "kind": "LinkedField",
    "name": "unfavoritePost",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Post",
        "kind": "LinkedField",
        "name": "post",
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
            "name": "viewerHasFavorited",
            "storageKey": null
          },
          {
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
                "name": "favorites",
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
    "name": "PostMutationsUnfavoriteMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "PostMutationsUnfavoriteMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "c7aac1c2d4db3acc4a72d6baca54d838",
    "id": null,
    "metadata": {},
    "name": "PostMutationsUnfavoriteMutation",
    "operationKind": "mutation",
    "text": "mutation PostMutationsUnfavoriteMutation(\n  $input: PostIdInput!\n) {\n  payload: unfavoritePost(input: $input) {\n    post {\n      id\n      viewerHasFavorited\n      counters {\n        favorites\n      }\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "79b49cf83f57b17e19a1f90a4a940357";

export default node;
