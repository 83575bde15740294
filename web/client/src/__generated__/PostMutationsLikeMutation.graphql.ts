/**
 * @generated SignedSource<<72b79a80eafc2e9cea471db6b74772d7>>
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
export type PostMutationsLikeMutation$variables = {
  input: PostIdInput;
};
export type PostMutationsLikeMutation$data = {
  readonly payload: {
    readonly post: {
      readonly counters: {
        readonly likes: number;
      };
      readonly id: string;
      readonly viewerHasLiked: boolean;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type PostMutationsLikeMutation$rawResponse = {
  readonly payload: {
    readonly post: {
      readonly counters: {
        readonly likes: number;
      };
      readonly id: string;
      readonly viewerHasLiked: boolean;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type PostMutationsLikeMutation = {
  rawResponse: PostMutationsLikeMutation$rawResponse;
  response: PostMutationsLikeMutation$data;
  variables: PostMutationsLikeMutation$variables;
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
    "name": "likePost",
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
            "name": "viewerHasLiked",
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
                "name": "likes",
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
    "name": "PostMutationsLikeMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "PostMutationsLikeMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "5f5c16897aa502258d9192176fa5470e",
    "id": null,
    "metadata": {},
    "name": "PostMutationsLikeMutation",
    "operationKind": "mutation",
    "text": "mutation PostMutationsLikeMutation(\n  $input: PostIdInput!\n) {\n  payload: likePost(input: $input) {\n    post {\n      id\n      viewerHasLiked\n      counters {\n        likes\n      }\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "dc5beafaa3a494073eed664b4213b5bb";

export default node;
