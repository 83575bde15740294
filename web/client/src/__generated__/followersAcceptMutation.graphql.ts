/**
 * @generated SignedSource<<2506ad16345b15ffef3afcab9b42c34f>>
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
export type followersAcceptMutation$variables = {
  input: UserIdInput;
};
export type followersAcceptMutation$data = {
  readonly payload: {
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type followersAcceptMutation = {
  response: followersAcceptMutation$data;
  variables: followersAcceptMutation$variables;
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
    "name": "acceptFollow",
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
    "name": "followersAcceptMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "followersAcceptMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "45d5dcc9a89f10417420c1091c7077aa",
    "id": null,
    "metadata": {},
    "name": "followersAcceptMutation",
    "operationKind": "mutation",
    "text": "mutation followersAcceptMutation(\n  $input: UserIdInput!\n) {\n  payload: acceptFollow(input: $input) {\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "6ff1d8a7a2ca4b896577e163a74181d9";

export default node;
