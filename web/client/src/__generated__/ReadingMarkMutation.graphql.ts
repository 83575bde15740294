/**
 * @generated SignedSource<<09080dfa87da074055566442d8b823a5>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "CONFLICT" | "FOLLOW_LIMIT" | "FORBIDDEN" | "INVALID" | "NOT_FOUND" | "TOO_LONG";
export type MarkHomeReadInput = {
  clientMutationId?: string | null | undefined;
  cursor: string;
  device?: string | null | undefined;
  syncToken: string;
};
export type ReadingMarkMutation$variables = {
  input: MarkHomeReadInput;
};
export type ReadingMarkMutation$data = {
  readonly markHomeRead: {
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
    }>;
  };
};
export type ReadingMarkMutation = {
  response: ReadingMarkMutation$data;
  variables: ReadingMarkMutation$variables;
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
    "concreteType": "MarkHomeReadPayload",
    "kind": "LinkedField",
    "name": "markHomeRead",
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
    "name": "ReadingMarkMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "ReadingMarkMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "d9f7ddf5d182dcd7a272dfa5f5d056f8",
    "id": null,
    "metadata": {},
    "name": "ReadingMarkMutation",
    "operationKind": "mutation",
    "text": "mutation ReadingMarkMutation(\n  $input: MarkHomeReadInput!\n) {\n  markHomeRead(input: $input) {\n    userErrors {\n      code\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "afbf1aaaeaabe6055e60460db922474e";

export default node;
