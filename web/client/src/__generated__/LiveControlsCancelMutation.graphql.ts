/**
 * @generated SignedSource<<550395cec52b1ec0e38ef4d820d83f93>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "CONFLICT" | "FOLLOW_LIMIT" | "FORBIDDEN" | "INVALID" | "NOT_FOUND" | "TOO_LONG";
export type LiveIdInput = {
  clientMutationId?: string | null | undefined;
  liveSessionId: string;
};
export type LiveControlsCancelMutation$variables = {
  input: LiveIdInput;
};
export type LiveControlsCancelMutation$data = {
  readonly cancelLive: {
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type LiveControlsCancelMutation = {
  response: LiveControlsCancelMutation$data;
  variables: LiveControlsCancelMutation$variables;
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
    "concreteType": "LivePayload",
    "kind": "LinkedField",
    "name": "cancelLive",
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
    "name": "LiveControlsCancelMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "LiveControlsCancelMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "1f7cd3f110d59e9a6fbd94ae4e554aba",
    "id": null,
    "metadata": {},
    "name": "LiveControlsCancelMutation",
    "operationKind": "mutation",
    "text": "mutation LiveControlsCancelMutation(\n  $input: LiveIdInput!\n) {\n  cancelLive(input: $input) {\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "a8ddfbef1a61160d33cee121a1b1c922";

export default node;
