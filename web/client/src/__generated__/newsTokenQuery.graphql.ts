/**
 * @generated SignedSource<<120ca25e5b8bf8acf5d13954cdb1dfc6>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type newsTokenQuery$variables = {
  special?: boolean | null | undefined;
};
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
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "special"
  }
],
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
        "args": [
          {
            "kind": "Literal",
            "name": "first",
            "value": 0
          },
          {
            "kind": "Variable",
            "name": "special",
            "variableName": "special"
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
    "name": "newsTokenQuery",
    "selections": (v1/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "newsTokenQuery",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "d2628c93467d75c00324f408c3c8cebc",
    "id": null,
    "metadata": {},
    "name": "newsTokenQuery",
    "operationKind": "query",
    "text": "query newsTokenQuery(\n  $special: Boolean\n) {\n  viewer {\n    homeFeed(first: 0, special: $special) {\n      syncToken\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "675a32cd4abb0f488083608a7107c273";

export default node;
