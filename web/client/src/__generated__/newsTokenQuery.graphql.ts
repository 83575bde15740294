/**
 * @generated SignedSource<<b33a19ce7dbbfdcaca20c93a9f424698>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type newsTokenQuery$variables = Record<PropertyKey, never>;
export type newsTokenQuery$data = {
  readonly viewer: {
    readonly homeFeed: {
      readonly syncToken: string | null | undefined;
    };
  } | null | undefined;
};
export type newsTokenQuery = {
  response: newsTokenQuery$data;
  variables: newsTokenQuery$variables;
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
        "args": [
          {
            "kind": "Literal",
            "name": "first",
            "value": 0
          }
        ],
        "concreteType": "FeedConnection",
        "kind": "LinkedField",
        "name": "homeFeed",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "syncToken",
            "storageKey": null
          }
        ],
        "storageKey": "homeFeed(first:0)"
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
    "name": "newsTokenQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "newsTokenQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "cacheID": "d7dd6cf72d82688cfe8dcb09c785db29",
    "id": null,
    "metadata": {},
    "name": "newsTokenQuery",
    "operationKind": "query",
    "text": "query newsTokenQuery {\n  viewer {\n    homeFeed(first: 0) {\n      syncToken\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "ade004adc0986a78d00bd41c756e1fe5";

export default node;
