/**
 * @generated SignedSource<<617fa7314f3abe5ba18802634cba64f0>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "CONFLICT" | "FOLLOW_LIMIT" | "FORBIDDEN" | "INVALID" | "NOT_FOUND" | "TOO_LONG";
export type TakeDownPostInput = {
  clientMutationId?: string | null | undefined;
  postId: string;
  reason: string;
};
export type sanctionsTakeDownMutation$variables = {
  input: TakeDownPostInput;
};
export type sanctionsTakeDownMutation$data = {
  readonly takeDownPost: {
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type sanctionsTakeDownMutation = {
  response: sanctionsTakeDownMutation$data;
  variables: sanctionsTakeDownMutation$variables;
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
    "concreteType": "PostPayload",
    "kind": "LinkedField",
    "name": "takeDownPost",
    "plural": false,
    "selections": [
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
    "name": "sanctionsTakeDownMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "sanctionsTakeDownMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "6188b76dfacf03bd56b8ac179ab6f90e",
    "id": null,
    "metadata": {},
    "name": "sanctionsTakeDownMutation",
    "operationKind": "mutation",
    "text": "mutation sanctionsTakeDownMutation(\n  $input: TakeDownPostInput!\n) {\n  takeDownPost(input: $input) {\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "bf2de9b6a320cb8dd38b3565d540dde4";

export default node;
