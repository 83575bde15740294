/**
 * @generated SignedSource<<c180afb1f10031edf736b1d1177090a5>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type AudienceChoiceQuery$variables = Record<PropertyKey, never>;
export type AudienceChoiceQuery$data = {
  readonly viewer: {
    readonly user: {
      readonly isPrivate: boolean;
    };
  } | null | undefined;
};
export type AudienceChoiceQuery = {
  response: AudienceChoiceQuery$data;
  variables: AudienceChoiceQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "isPrivate",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "AudienceChoiceQuery",
    "selections": [
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
            "concreteType": "User",
            "kind": "LinkedField",
            "name": "user",
            "plural": false,
            "selections": [
              (v0/*:: as any*/)
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "AudienceChoiceQuery",
    "selections": [
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
            "concreteType": "User",
            "kind": "LinkedField",
            "name": "user",
            "plural": false,
            "selections": [
              (v0/*:: as any*/),
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
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "429b74a9f4db8a1db554000ba1f3273f",
    "id": null,
    "metadata": {},
    "name": "AudienceChoiceQuery",
    "operationKind": "query",
    "text": "query AudienceChoiceQuery {\n  viewer {\n    user {\n      isPrivate\n      id\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "80726e27175b4c106b732007ec332731";

export default node;
