/**
 * @generated SignedSource<<38f8610717b106227aa01fd6b5e897b0>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type ListPickerQuery$variables = {
  member: string;
};
export type ListPickerQuery$data = {
  readonly viewer: {
    readonly having: ReadonlyArray<{
      readonly id: string;
    }>;
    readonly lists: ReadonlyArray<{
      readonly id: string;
      readonly isPublic: boolean;
      readonly memberCount: number;
      readonly name: string;
    }>;
  } | null | undefined;
};
export type ListPickerQuery = {
  response: ListPickerQuery$data;
  variables: ListPickerQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "member"
  }
],
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
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
        "args": null,
        "concreteType": "AuthorList",
        "kind": "LinkedField",
        "name": "lists",
        "plural": true,
        "selections": [
          (v1/*:: as any*/),
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
        "alias": "having",
        "args": [
          {
            "kind": "Variable",
            "name": "member",
            "variableName": "member"
          }
        ],
        "concreteType": "AuthorList",
        "kind": "LinkedField",
        "name": "lists",
        "plural": true,
        "selections": [
          (v1/*:: as any*/)
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
    "name": "ListPickerQuery",
    "selections": (v2/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "ListPickerQuery",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "cacheID": "63e15334c425c85487b0a25c4708683f",
    "id": null,
    "metadata": {},
    "name": "ListPickerQuery",
    "operationKind": "query",
    "text": "query ListPickerQuery(\n  $member: ID!\n) {\n  viewer {\n    lists {\n      id\n      name\n      isPublic\n      memberCount\n    }\n    having: lists(member: $member) {\n      id\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "96663d7117ee340e26b53afa6e34de07";

export default node;
