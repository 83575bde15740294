/**
 * @generated SignedSource<<574e8b34ed86b8606bb53bfa821661ba>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type Role = "ADMIN" | "MODERATOR";
export type DeskProviderQuery$variables = Record<PropertyKey, never>;
export type DeskProviderQuery$data = {
  readonly viewer: {
    readonly roles: ReadonlyArray<Role>;
    readonly user: {
      readonly databaseId: string;
      readonly handle: string;
      readonly id: string;
      readonly isPrivate: boolean;
      readonly name: string;
    };
  } | null | undefined;
};
export type DeskProviderQuery = {
  response: DeskProviderQuery$data;
  variables: DeskProviderQuery$variables;
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
        "kind": "ScalarField",
        "name": "roles",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "user",
        "plural": false,
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
            "name": "databaseId",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "handle",
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
            "name": "isPrivate",
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
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "DeskProviderQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "DeskProviderQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "cacheID": "e8953ab3177f6de0a8f5cbb959a07d13",
    "id": null,
    "metadata": {},
    "name": "DeskProviderQuery",
    "operationKind": "query",
    "text": "query DeskProviderQuery {\n  viewer {\n    roles\n    user {\n      id\n      databaseId\n      handle\n      name\n      isPrivate\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "d018b57ea5d2a72fdaf71ead17130087";

export default node;
