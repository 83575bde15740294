/**
 * @generated SignedSource<<9f02ca4ddb31e9fe36328821a97d9ef5>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type useSubjectQuery$variables = {
  by: string;
  hasBy: boolean;
  hasLiftedBy: boolean;
  isPost: boolean;
  liftedBy: string;
  post: string;
  user: string;
};
export type useSubjectQuery$data = {
  readonly by?: {
    readonly handle: string;
  } | null | undefined;
  readonly lifter?: {
    readonly handle: string;
  } | null | undefined;
  readonly moderatedPost?: {
    readonly author: {
      readonly handle: string;
    };
    readonly media: ReadonlyArray<string>;
    readonly text: string;
  } | null | undefined;
  readonly moderatedUser?: {
    readonly handle: string;
  } | null | undefined;
};
export type useSubjectQuery = {
  response: useSubjectQuery$data;
  variables: useSubjectQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "by"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "hasBy"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "hasLiftedBy"
},
v3 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "isPost"
},
v4 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "liftedBy"
},
v5 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "post"
},
v6 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "user"
},
v7 = [
  {
    "kind": "Variable",
    "name": "databaseId",
    "variableName": "post"
  }
],
v8 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "text",
  "storageKey": null
},
v9 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "media",
  "storageKey": null
},
v10 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "handle",
  "storageKey": null
},
v11 = [
  (v10/*:: as any*/)
],
v12 = [
  {
    "kind": "Variable",
    "name": "databaseId",
    "variableName": "user"
  }
],
v13 = [
  {
    "kind": "Variable",
    "name": "databaseId",
    "variableName": "by"
  }
],
v14 = [
  {
    "kind": "Variable",
    "name": "databaseId",
    "variableName": "liftedBy"
  }
],
v15 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v16 = [
  (v10/*:: as any*/),
  (v15/*:: as any*/)
];
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/),
      (v3/*:: as any*/),
      (v4/*:: as any*/),
      (v5/*:: as any*/),
      (v6/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "useSubjectQuery",
    "selections": [
      {
        "condition": "isPost",
        "kind": "Condition",
        "passingValue": true,
        "selections": [
          {
            "alias": null,
            "args": (v7/*:: as any*/),
            "concreteType": "Post",
            "kind": "LinkedField",
            "name": "moderatedPost",
            "plural": false,
            "selections": [
              (v8/*:: as any*/),
              (v9/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "User",
                "kind": "LinkedField",
                "name": "author",
                "plural": false,
                "selections": (v11/*:: as any*/),
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ]
      },
      {
        "condition": "isPost",
        "kind": "Condition",
        "passingValue": false,
        "selections": [
          {
            "alias": null,
            "args": (v12/*:: as any*/),
            "concreteType": "User",
            "kind": "LinkedField",
            "name": "moderatedUser",
            "plural": false,
            "selections": (v11/*:: as any*/),
            "storageKey": null
          }
        ]
      },
      {
        "condition": "hasBy",
        "kind": "Condition",
        "passingValue": true,
        "selections": [
          {
            "alias": "by",
            "args": (v13/*:: as any*/),
            "concreteType": "User",
            "kind": "LinkedField",
            "name": "moderatedUser",
            "plural": false,
            "selections": (v11/*:: as any*/),
            "storageKey": null
          }
        ]
      },
      {
        "condition": "hasLiftedBy",
        "kind": "Condition",
        "passingValue": true,
        "selections": [
          {
            "alias": "lifter",
            "args": (v14/*:: as any*/),
            "concreteType": "User",
            "kind": "LinkedField",
            "name": "moderatedUser",
            "plural": false,
            "selections": (v11/*:: as any*/),
            "storageKey": null
          }
        ]
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v5/*:: as any*/),
      (v6/*:: as any*/),
      (v0/*:: as any*/),
      (v4/*:: as any*/),
      (v3/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "useSubjectQuery",
    "selections": [
      {
        "condition": "isPost",
        "kind": "Condition",
        "passingValue": true,
        "selections": [
          {
            "alias": null,
            "args": (v7/*:: as any*/),
            "concreteType": "Post",
            "kind": "LinkedField",
            "name": "moderatedPost",
            "plural": false,
            "selections": [
              (v8/*:: as any*/),
              (v9/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "User",
                "kind": "LinkedField",
                "name": "author",
                "plural": false,
                "selections": (v16/*:: as any*/),
                "storageKey": null
              },
              (v15/*:: as any*/)
            ],
            "storageKey": null
          }
        ]
      },
      {
        "condition": "isPost",
        "kind": "Condition",
        "passingValue": false,
        "selections": [
          {
            "alias": null,
            "args": (v12/*:: as any*/),
            "concreteType": "User",
            "kind": "LinkedField",
            "name": "moderatedUser",
            "plural": false,
            "selections": (v16/*:: as any*/),
            "storageKey": null
          }
        ]
      },
      {
        "condition": "hasBy",
        "kind": "Condition",
        "passingValue": true,
        "selections": [
          {
            "alias": "by",
            "args": (v13/*:: as any*/),
            "concreteType": "User",
            "kind": "LinkedField",
            "name": "moderatedUser",
            "plural": false,
            "selections": (v16/*:: as any*/),
            "storageKey": null
          }
        ]
      },
      {
        "condition": "hasLiftedBy",
        "kind": "Condition",
        "passingValue": true,
        "selections": [
          {
            "alias": "lifter",
            "args": (v14/*:: as any*/),
            "concreteType": "User",
            "kind": "LinkedField",
            "name": "moderatedUser",
            "plural": false,
            "selections": (v16/*:: as any*/),
            "storageKey": null
          }
        ]
      }
    ]
  },
  "params": {
    "cacheID": "c4c5015be4c2c7a5fd0577234f1fd169",
    "id": null,
    "metadata": {},
    "name": "useSubjectQuery",
    "operationKind": "query",
    "text": "query useSubjectQuery(\n  $post: String!\n  $user: String!\n  $by: String!\n  $liftedBy: String!\n  $isPost: Boolean!\n  $hasBy: Boolean!\n  $hasLiftedBy: Boolean!\n) {\n  moderatedPost(databaseId: $post) @include(if: $isPost) {\n    text\n    media\n    author {\n      handle\n      id\n    }\n    id\n  }\n  moderatedUser(databaseId: $user) @skip(if: $isPost) {\n    handle\n    id\n  }\n  by: moderatedUser(databaseId: $by) @include(if: $hasBy) {\n    handle\n    id\n  }\n  lifter: moderatedUser(databaseId: $liftedBy) @include(if: $hasLiftedBy) {\n    handle\n    id\n  }\n}\n"
  }
};
})();

(node as any).hash = "9fb2a35308f792d829cc908b92832dbf";

export default node;
