/**
 * @generated SignedSource<<f1c83c1772af8dc7339ec75a940e0887>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type sanctionsUserQuery$variables = {
  userId: string;
};
export type sanctionsUserQuery$data = {
  readonly moderationLog: {
    readonly __id: string;
    readonly nodes: ReadonlyArray<{
      readonly liftedAt: string | null | undefined;
      readonly reason: string;
      readonly until: string | null | undefined;
    }>;
  };
};
export type sanctionsUserQuery = {
  response: sanctionsUserQuery$data;
  variables: sanctionsUserQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "userId"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Literal",
        "name": "first",
        "value": 1
      },
      {
        "fields": [
          {
            "kind": "Variable",
            "name": "userId",
            "variableName": "userId"
          }
        ],
        "kind": "ObjectValue",
        "name": "subject"
      }
    ],
    "concreteType": "ModerationLogConnection",
    "kind": "LinkedField",
    "name": "moderationLog",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "ModerationLogEntry",
        "kind": "LinkedField",
        "name": "nodes",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "reason",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "until",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "liftedAt",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "kind": "ClientExtension",
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "__id",
            "storageKey": null
          }
        ]
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
    "name": "sanctionsUserQuery",
    "selections": (v1/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "sanctionsUserQuery",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "09342accd600a904902b2dc2537c79a5",
    "id": null,
    "metadata": {},
    "name": "sanctionsUserQuery",
    "operationKind": "query",
    "text": "query sanctionsUserQuery(\n  $userId: ID!\n) {\n  moderationLog(first: 1, subject: {userId: $userId}) {\n    nodes {\n      reason\n      until\n      liftedAt\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "9c06dc4478ceb0b2c7bdabb5f1bdffaf";

export default node;
