/**
 * @generated SignedSource<<f3f4919d230a576f43a5ff04a37f68ad>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type RequestsPage_sent$data = {
  readonly sentFollowRequests: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly id: string;
        readonly viewerFollowRequested: boolean;
        readonly " $fragmentSpreads": FragmentRefs<"PersonRow_user" | "RequestsPage_withdraw">;
      };
    }>;
  };
  readonly " $fragmentType": "RequestsPage_sent";
};
export type RequestsPage_sent$key = {
  readonly " $data"?: RequestsPage_sent$data;
  readonly " $fragmentSpreads": FragmentRefs<"RequestsPage_sent">;
};

import RequestsPageSentQuery_graphql from './RequestsPageSentQuery.graphql';

const node: ReaderFragment = (function(){
var v0 = [
  "sentFollowRequests"
];
return {
  "argumentDefinitions": [
    {
      "defaultValue": null,
      "kind": "LocalArgument",
      "name": "after"
    },
    {
      "defaultValue": null,
      "kind": "LocalArgument",
      "name": "first"
    }
  ],
  "kind": "Fragment",
  "metadata": {
    "connection": [
      {
        "count": "first",
        "cursor": "after",
        "direction": "forward",
        "path": (v0/*:: as any*/)
      }
    ],
    "refetch": {
      "connection": {
        "forward": {
          "count": "first",
          "cursor": "after"
        },
        "backward": null,
        "path": (v0/*:: as any*/)
      },
      "fragmentPathInResult": [
        "viewer"
      ],
      "operation": RequestsPageSentQuery_graphql
    }
  },
  "name": "RequestsPage_sent",
  "selections": [
    {
      "alias": "sentFollowRequests",
      "args": null,
      "concreteType": "UserConnection",
      "kind": "LinkedField",
      "name": "__RequestsPage_sentFollowRequests_connection",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "UserEdge",
          "kind": "LinkedField",
          "name": "edges",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "concreteType": "User",
              "kind": "LinkedField",
              "name": "node",
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
                  "name": "viewerFollowRequested",
                  "storageKey": null
                },
                {
                  "args": null,
                  "kind": "FragmentSpread",
                  "name": "PersonRow_user"
                },
                {
                  "args": null,
                  "kind": "FragmentSpread",
                  "name": "RequestsPage_withdraw"
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "__typename",
                  "storageKey": null
                }
              ],
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "cursor",
              "storageKey": null
            }
          ],
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "PageInfo",
          "kind": "LinkedField",
          "name": "pageInfo",
          "plural": false,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "endCursor",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "hasNextPage",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "Viewer",
  "abstractKey": null
};
})();

(node as any).hash = "8bef392e7747aa51a30ebfc18f55b84b";

export default node;
