/**
 * @generated SignedSource<<d1cfa75340529247328edda1895af8c2>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type ReadingPositionQuery$variables = Record<PropertyKey, never>;
export type ReadingPositionQuery$data = {
  readonly viewer: {
    readonly readPosition: {
      readonly cursor: string;
      readonly syncToken: string;
      readonly unread: number | null | undefined;
    } | null | undefined;
  } | null | undefined;
};
export type ReadingPositionQuery = {
  response: ReadingPositionQuery$data;
  variables: ReadingPositionQuery$variables;
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
        "concreteType": "ReadPosition",
        "kind": "LinkedField",
        "name": "readPosition",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "cursor",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "syncToken",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "unread",
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
    "name": "ReadingPositionQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "ReadingPositionQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "cacheID": "e5902bd65da0980df57b524efc0b1b74",
    "id": null,
    "metadata": {},
    "name": "ReadingPositionQuery",
    "operationKind": "query",
    "text": "query ReadingPositionQuery {\n  viewer {\n    readPosition {\n      cursor\n      syncToken\n      unread\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "4f4e60d3698eaca9503c3d16bb1129bf";

export default node;
