/**
 * @generated SignedSource<<e73774cad4905db31be9c3dea43003e8>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type DeskProviderQuery$variables = Record<PropertyKey, never>;
export type DeskProviderQuery$data = {
  readonly viewer: {
    readonly user: {
      readonly databaseId: string;
      readonly handle: string;
      readonly id: string;
      readonly name: string;
    };
  } | null | undefined;
};
export type DeskProviderQuery = {
  response: DeskProviderQuery$data;
  variables: DeskProviderQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
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
            "name": "databaseId",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "handle",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "name",
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
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "DeskProviderQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "DeskProviderQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "cacheID": "8fb00b43f0cae9ad702976b68b983e5f",
    "id": null,
    "metadata": {},
    "name": "DeskProviderQuery",
    "operationKind": "query",
    "text": "query DeskProviderQuery {\n  viewer {\n    user {\n      id\n      databaseId\n      handle\n      name\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "e442c5ea5fac26821581523baf9c1f37";

export default node;
