/**
 * @generated SignedSource<<72f0d43311625e2842d017a42fbaea14>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type PostAudience = "FOLLOWERS" | "PUBLIC";
export type UserErrorCode = "CONFLICT" | "FOLLOW_LIMIT" | "FORBIDDEN" | "INVALID" | "NOT_FOUND" | "TOO_LONG";
export type EditPostInput = {
  audience?: PostAudience | null | undefined;
  clientMutationId?: string | null | undefined;
  postId: string;
  text?: string | null | undefined;
};
export type PostMutationsEditMutation$variables = {
  input: EditPostInput;
};
export type PostMutationsEditMutation$data = {
  readonly editPost: {
    readonly post: {
      readonly audience: PostAudience;
      readonly editedAt: string | null | undefined;
      readonly id: string;
      readonly text: string;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type PostMutationsEditMutation = {
  response: PostMutationsEditMutation$data;
  variables: PostMutationsEditMutation$variables;
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
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "EditPostPayload",
    "kind": "LinkedField",
    "name": "editPost",
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
            "name": "text",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "audience",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "editedAt",
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
    "name": "PostMutationsEditMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "PostMutationsEditMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "5d733463509615e8f9ab895b2662abe1",
    "id": null,
    "metadata": {},
    "name": "PostMutationsEditMutation",
    "operationKind": "mutation",
    "text": "mutation PostMutationsEditMutation(\n  $input: EditPostInput!\n) {\n  editPost(input: $input) {\n    post {\n      id\n      text\n      audience\n      editedAt\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "5a58af2a4a12e21b0e86bbf4bc868814";

export default node;
