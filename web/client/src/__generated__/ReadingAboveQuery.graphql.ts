/**
 * @generated SignedSource<<8df1db87c67b5b080f93f2e24de64893>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type ReadingAboveQuery$variables = {
  cursor: string;
};
export type ReadingAboveQuery$data = {
  readonly viewer: {
    readonly homeFeed: {
      readonly edges: ReadonlyArray<{
        readonly sortKey: string;
      }>;
    };
  } | null | undefined;
};
export type ReadingAboveQuery = {
  response: ReadingAboveQuery$data;
  variables: ReadingAboveQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "cursor"
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
            "kind": "Variable",
            "name": "before",
            "variableName": "cursor"
          },
          {
            "kind": "Literal",
            "name": "last",
            "value": 1
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
            "concreteType": "FeedEdge",
            "kind": "LinkedField",
            "name": "edges",
            "plural": true,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "sortKey",
                "storageKey": null
              }
            ],
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
    "name": "ReadingAboveQuery",
    "selections": (v1/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "ReadingAboveQuery",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "6bde481bbb9b251ad325e13babfae321",
    "id": null,
    "metadata": {},
    "name": "ReadingAboveQuery",
    "operationKind": "query",
    "text": "query ReadingAboveQuery(\n  $cursor: String!\n) {\n  viewer {\n    homeFeed(before: $cursor, last: 1) {\n      edges {\n        sortKey\n      }\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "930e4e941e1d98ec2bffea39d9d9b799";

export default node;
