/**
 * @generated SignedSource<<8ec7e5ceb357313c5c5f899f6a6b7904>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type ListFeedCountQuery$variables = {
  id: string;
  since: string;
};
export type ListFeedCountQuery$data = {
  readonly node: {
    readonly feed?: {
      readonly newCount: number;
    };
  } | null | undefined;
};
export type ListFeedCountQuery = {
  response: ListFeedCountQuery$data;
  variables: ListFeedCountQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "id"
  },
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "since"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "id",
    "variableName": "id"
  }
],
v2 = {
  "kind": "InlineFragment",
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
      "name": "feed",
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
      "storageKey": "feed(first:0)"
    }
  ],
  "type": "AuthorList",
  "abstractKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "ListFeedCountQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": null,
        "kind": "LinkedField",
        "name": "node",
        "plural": false,
        "selections": [
          (v2/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "ListFeedCountQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": null,
        "kind": "LinkedField",
        "name": "node",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "__typename",
            "storageKey": null
          },
          (v2/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "59de7812a70ce4bae8f0b892164923d0",
    "id": null,
    "metadata": {},
    "name": "ListFeedCountQuery",
    "operationKind": "query",
    "text": "query ListFeedCountQuery(\n  $id: ID!\n  $since: String!\n) {\n  node(id: $id) {\n    __typename\n    ... on AuthorList {\n      feed(first: 0) {\n        newCount(since: $since)\n      }\n    }\n    id\n  }\n}\n"
  }
};
})();

(node as any).hash = "fdc398d82b880a7069ee49b01553f7b6";

export default node;
