/**
 * @generated SignedSource<<0c3a4f966f96cc0649b0c686c8595a98>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "CONFLICT" | "FOLLOW_LIMIT" | "FORBIDDEN" | "INVALID" | "NOT_FOUND" | "TOO_LONG";
export type ScheduleLiveInput = {
  clientMutationId?: string | null | undefined;
  scheduledAt: string;
  title: string;
};
export type ScheduleButtonMutation$variables = {
  input: ScheduleLiveInput;
};
export type ScheduleButtonMutation$data = {
  readonly scheduleLive: {
    readonly liveSession: {
      readonly id: string;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type ScheduleButtonMutation = {
  response: ScheduleButtonMutation$data;
  variables: ScheduleButtonMutation$variables;
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
    "name": "scheduleLive",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "LiveSession",
        "kind": "LinkedField",
        "name": "liveSession",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
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
    "name": "ScheduleButtonMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "ScheduleButtonMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "3585c2e1c63de36d3d01555b300c9501",
    "id": null,
    "metadata": {},
    "name": "ScheduleButtonMutation",
    "operationKind": "mutation",
    "text": "mutation ScheduleButtonMutation(\n  $input: ScheduleLiveInput!\n) {\n  scheduleLive(input: $input) {\n    liveSession {\n      id\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "1232e90ce80fc07bed9b697abacb8519";

export default node;
