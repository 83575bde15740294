/**
 * @generated SignedSource<<f583ef212287bd8c4a68f5419af6ef90>>
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
export type PostMutationsFavoriteMutation$variables = {
  input: PostIdInput;
};
export type PostMutationsFavoriteMutation$data = {
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
export type PostMutationsFavoriteMutation$rawResponse = {
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
export type PostMutationsFavoriteMutation = {
  rawResponse: PostMutationsFavoriteMutation$rawResponse;
  response: PostMutationsFavoriteMutation$data;
  variables: PostMutationsFavoriteMutation$variables;
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
    "name": "favoritePost",
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
    "name": "PostMutationsFavoriteMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "PostMutationsFavoriteMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "cf604bd18f55b96dd44381b269b047b1",
    "id": null,
    "metadata": {},
    "name": "PostMutationsFavoriteMutation",
    "operationKind": "mutation",
    "text": "mutation PostMutationsFavoriteMutation(\n  $input: PostIdInput!\n) {\n  payload: favoritePost(input: $input) {\n    post {\n      id\n      viewerHasFavorited\n      counters {\n        favorites\n      }\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "070dafa5c59f9ca7ef1744a7e0dc4ca6";

export default node;
