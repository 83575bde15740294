/**
 * @generated SignedSource<<207f7da4231ac22a34fa520929371918>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type RequestsLinkQuery$variables = Record<PropertyKey, never>;
export type RequestsLinkQuery$data = {
  readonly viewer: {
    readonly followRequests: {
      readonly __id: string;
      readonly nodes: ReadonlyArray<{
        readonly id: string;
      }>;
    };
    readonly user: {
      readonly id: string;
      readonly isPrivate: boolean;
    };
  } | null | undefined;
};
export type RequestsLinkQuery = {
  response: RequestsLinkQuery$data;
  variables: RequestsLinkQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v1 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "Viewer",
    "kind": "LinkedField",
    "name": "viewer",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "user",
        "plural": false,
        "selections": [
          (v0/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "isPrivate",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": [
          {
            "kind": "Literal",
            "name": "first",
            "value": 10
          }
        ],
        "concreteType": "UserConnection",
        "kind": "LinkedField",
        "name": "followRequests",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "User",
            "kind": "LinkedField",
            "name": "nodes",
            "plural": true,
            "selections": [
              (v0/*:: as any*/)
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
        "storageKey": "followRequests(first:10)"
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "RequestsLinkQuery",
    "selections": (v1/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "RequestsLinkQuery",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "2632f86f8bea917156bfa2ec8c75ace1",
    "id": null,
    "metadata": {},
    "name": "RequestsLinkQuery",
    "operationKind": "query",
    "text": "query RequestsLinkQuery {\n  viewer {\n    user {\n      id\n      isPrivate\n    }\n    followRequests(first: 10) {\n      nodes {\n        id\n      }\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "f8b570074ab0de84f97fb5d80facd4d6";

export default node;
