/**
 * @generated SignedSource<<37dffc8bd688b23973628eff082510e7>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type newsCountQuery$variables = {
  since: string;
};
export type newsCountQuery$data = {
  readonly viewer: {
    readonly homeFeed: {
      readonly newCount: number;
    };
  } | null | undefined;
};
export type newsCountQuery = {
  response: newsCountQuery$data;
  variables: newsCountQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "since"
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
          }
        ],
        "concreteType": "FeedConnection",
        "kind": "LinkedField",
        "name": "homeFeed",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": [
              {
                "kind": "Variable",
                "name": "since",
                "variableName": "since"
              }
            ],
            "kind": "ScalarField",
            "name": "newCount",
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
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "newsCountQuery",
    "selections": (v1/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "newsCountQuery",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "0954bfc113187bf34c3c449b98d24d4d",
    "id": null,
    "metadata": {},
    "name": "newsCountQuery",
    "operationKind": "query",
    "text": "query newsCountQuery(\n  $since: String!\n) {\n  viewer {\n    homeFeed(first: 0) {\n      newCount(since: $since)\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "a42fbd497a2b580fcae75f7fa785b0ca";

export default node;
