/**
 * @generated SignedSource<<47d4cd2d0d88532b16dd8a39e9dae0aa>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type newsCountQuery$variables = {
  since: string;
  special?: boolean | null | undefined;
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
  },
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
    "cacheID": "b691333fdeeb501884bc10f6ce63a4bb",
    "id": null,
    "metadata": {},
    "name": "newsCountQuery",
    "operationKind": "query",
    "text": "query newsCountQuery(\n  $since: String!\n  $special: Boolean\n) {\n  viewer {\n    homeFeed(first: 0, special: $special) {\n      newCount(since: $since)\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "939a988026b8cac91d726e74fa7bd89a";

export default node;
