/**
 * @generated SignedSource<<036c8457a9c533e506ea09591ddfd07a>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type ListsPageQuery$variables = Record<PropertyKey, never>;
export type ListsPageQuery$data = {
  readonly viewer: {
    readonly __id: string;
    readonly lists: ReadonlyArray<{
      readonly id: string;
      readonly isPublic: boolean;
      readonly memberCount: number;
      readonly name: string;
    }>;
  } | null | undefined;
};
export type ListsPageQuery = {
  response: ListsPageQuery$data;
  variables: ListsPageQuery$variables;
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
        "concreteType": "AuthorList",
        "kind": "LinkedField",
        "name": "lists",
        "plural": true,
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
            "name": "name",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "isPublic",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "memberCount",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "kind": "ClientExtension",
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "__id",
            "storageKey": null
          }
        ]
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
    "name": "ListsPageQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "ListsPageQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "cacheID": "7fdd2c534118a8e22a2c754cf89ceec4",
    "id": null,
    "metadata": {},
    "name": "ListsPageQuery",
    "operationKind": "query",
    "text": "query ListsPageQuery {\n  viewer {\n    lists {\n      id\n      name\n      isPublic\n      memberCount\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "43c0c64a5125b0966b31a08d36898ceb";

export default node;
