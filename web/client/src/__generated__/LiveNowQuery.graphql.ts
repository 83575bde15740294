/**
 * @generated SignedSource<<51842a60b23888c5ab9bb3dc61103a6d>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type LiveState = "LIVE" | "REPLAY" | "UPCOMING";
export type LiveNowQuery$variables = {
  first: number;
};
export type LiveNowQuery$data = {
  readonly viewer: {
    readonly __id: string;
    readonly liveFeed: {
      readonly edges: ReadonlyArray<{
        readonly node: {
          readonly endedAt: string | null | undefined;
          readonly host: {
            readonly databaseId: string;
            readonly handle: string;
            readonly id: string;
            readonly name: string;
            readonly viewerBlocks: boolean;
            readonly viewerFollows: boolean;
            readonly viewerMutes: boolean;
          };
          readonly id: string;
          readonly scheduledAt: string;
          readonly startedAt: string | null | undefined;
          readonly state: LiveState;
          readonly title: string;
        };
        readonly sortKey: string;
      }>;
      readonly syncToken: string | null | undefined;
    };
    readonly user: {
      readonly id: string;
    };
  } | null | undefined;
};
export type LiveNowQuery = {
  response: LiveNowQuery$data;
  variables: LiveNowQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "first"
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
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "user",
        "plural": false,
        "selections": [
          (v1/*:: as any*/)
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": [
          {
            "kind": "Variable",
            "name": "first",
            "variableName": "first"
          }
        ],
        "concreteType": "LiveConnection",
        "kind": "LinkedField",
        "name": "liveFeed",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "LiveEdge",
            "kind": "LinkedField",
            "name": "edges",
            "plural": true,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "sortKey",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "concreteType": "LiveSession",
                "kind": "LinkedField",
                "name": "node",
                "plural": false,
                "selections": [
                  (v1/*:: as any*/),
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "title",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "state",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "scheduledAt",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "startedAt",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "endedAt",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "User",
                    "kind": "LinkedField",
                    "name": "host",
                    "plural": false,
                    "selections": [
                      (v1/*:: as any*/),
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
                        "name": "name",
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
                        "name": "viewerFollows",
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "viewerMutes",
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "viewerBlocks",
                        "storageKey": null
                      }
                    ],
                    "storageKey": null
                  }
                ],
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "syncToken",
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
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "LiveNowQuery",
    "selections": (v2/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "LiveNowQuery",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "cacheID": "e3ea2bbbdfd97665d9e97179389f9e4c",
    "id": null,
    "metadata": {},
    "name": "LiveNowQuery",
    "operationKind": "query",
    "text": "query LiveNowQuery(\n  $first: Int!\n) {\n  viewer {\n    user {\n      id\n    }\n    liveFeed(first: $first) {\n      edges {\n        sortKey\n        node {\n          id\n          title\n          state\n          scheduledAt\n          startedAt\n          endedAt\n          host {\n            id\n            databaseId\n            name\n            handle\n            viewerFollows\n            viewerMutes\n            viewerBlocks\n          }\n        }\n      }\n      syncToken\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "55febf3295af2462cf727f3f311087a0";

export default node;
