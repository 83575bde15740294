/**
 * @generated SignedSource<<3297dc3a8f811e069535d4ace05e4acd>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type PostKind = "COMMENT" | "POST" | "REPOST";
export type FeedFilter = {
  hasMedia?: boolean | null | undefined;
  kinds?: ReadonlyArray<PostKind> | null | undefined;
  languages?: ReadonlyArray<string> | null | undefined;
};
export type newsTokenQuery$variables = {
  filter?: FeedFilter | null | undefined;
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
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "filter"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "special"
},
v2 = [
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
            "name": "filter",
            "variableName": "filter"
          },
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
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "newsTokenQuery",
    "selections": (v2/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "newsTokenQuery",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "cacheID": "5f68be6397551a8305ee1c57cace6761",
    "id": null,
    "metadata": {},
    "name": "newsTokenQuery",
    "operationKind": "query",
    "text": "query newsTokenQuery(\n  $special: Boolean\n  $filter: FeedFilter\n) {\n  viewer {\n    homeFeed(first: 0, special: $special, filter: $filter) {\n      syncToken\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "500191ea83182ee8d0ceecfb7aa3bbac";

export default node;
