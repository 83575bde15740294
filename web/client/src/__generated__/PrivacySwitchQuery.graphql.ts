/**
 * @generated SignedSource<<e0cb9cbae2ac1e5862b20436ffa4db70>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type PrivacySwitchQuery$variables = Record<PropertyKey, never>;
export type PrivacySwitchQuery$data = {
  readonly viewer: {
    readonly user: {
      readonly id: string;
      readonly isPrivate: boolean;
    };
  } | null | undefined;
};
export type PrivacySwitchQuery = {
  response: PrivacySwitchQuery$data;
  variables: PrivacySwitchQuery$variables;
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
            "name": "isPrivate",
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
    "name": "PrivacySwitchQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "PrivacySwitchQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "cacheID": "f0aa160c67cd2719e046055e70235592",
    "id": null,
    "metadata": {},
    "name": "PrivacySwitchQuery",
    "operationKind": "query",
    "text": "query PrivacySwitchQuery {\n  viewer {\n    user {\n      id\n      isPrivate\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "56983ede35b43a65c4b8c39b75d2a31f";

export default node;
