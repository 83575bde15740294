/**
 * @generated SignedSource<<f77bd150eb97239a137fbca6d0d4f145>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "CONFLICT" | "FOLLOW_LIMIT" | "FORBIDDEN" | "INVALID" | "NOT_FOUND" | "TOO_LONG";
export type SuspendUserInput = {
  clientMutationId?: string | null | undefined;
  reason: string;
  until?: string | null | undefined;
  userId: string;
};
export type sanctionsSuspendMutation$variables = {
  input: SuspendUserInput;
};
export type sanctionsSuspendMutation$data = {
  readonly suspendUser: {
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type sanctionsSuspendMutation = {
  response: sanctionsSuspendMutation$data;
  variables: sanctionsSuspendMutation$variables;
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
    "concreteType": "UserPayload",
    "kind": "LinkedField",
    "name": "suspendUser",
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
    "name": "sanctionsSuspendMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "sanctionsSuspendMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "514d57bb16c2c323417b816d90c12f75",
    "id": null,
    "metadata": {},
    "name": "sanctionsSuspendMutation",
    "operationKind": "mutation",
    "text": "mutation sanctionsSuspendMutation(\n  $input: SuspendUserInput!\n) {\n  suspendUser(input: $input) {\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "ab900adc36890dc49ce2647f4a71a14b";

export default node;
