/**
 * @generated SignedSource<<5bc2e58b764cb9f1262cce270ae195b9>>
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
export type newsCountQuery$variables = {
  filter?: FeedFilter | null | undefined;
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
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "filter"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "since"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "special"
},
v3 = [
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
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "newsCountQuery",
    "selections": (v3/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v2/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "newsCountQuery",
    "selections": (v3/*:: as any*/)
  },
  "params": {
    "cacheID": "14a389068630c90ae8a2734530f172d6",
    "id": null,
    "metadata": {},
    "name": "newsCountQuery",
    "operationKind": "query",
    "text": "query newsCountQuery(\n  $since: String!\n  $special: Boolean\n  $filter: FeedFilter\n) {\n  viewer {\n    homeFeed(first: 0, special: $special, filter: $filter) {\n      newCount(since: $since)\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "82acd3851e0778bf140867cd66b5bc25";

export default node;
