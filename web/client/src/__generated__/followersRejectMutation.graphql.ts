/**
 * @generated SignedSource<<cf27579e3dcbd279dd5342e474c5af21>>
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
export type followersRejectMutation$variables = {
  input: UserIdInput;
};
export type followersRejectMutation$data = {
  readonly payload: {
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type followersRejectMutation = {
  response: followersRejectMutation$data;
  variables: followersRejectMutation$variables;
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
    "name": "rejectFollow",
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
    "name": "followersRejectMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "followersRejectMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "0f48ccdda3ed6a0dbd9dc85d284f2efe",
    "id": null,
    "metadata": {},
    "name": "followersRejectMutation",
    "operationKind": "mutation",
    "text": "mutation followersRejectMutation(\n  $input: UserIdInput!\n) {\n  payload: rejectFollow(input: $input) {\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "1671eecefae5188131b833e1fe98c3c7";

export default node;
