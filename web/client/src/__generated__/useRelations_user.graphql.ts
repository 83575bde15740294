/**
 * @generated SignedSource<<fbbf2f9f0c7a5dfbdab2c69549c36b8e>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type useRelations_user$data = {
  readonly counters: {
    readonly followers: number;
  };
  readonly handle: string;
  readonly id: string;
  readonly isPrivate: boolean;
  readonly viewerBlocks: boolean;
  readonly viewerCanSeePosts: boolean;
  readonly viewerFollowRequested: boolean;
  readonly viewerFollows: boolean;
  readonly viewerHidesFrom: boolean;
  readonly viewerMutes: boolean;
  readonly " $fragmentType": "useRelations_user";
};
export type useRelations_user$key = {
  readonly " $data"?: useRelations_user$data;
  readonly " $fragmentSpreads": FragmentRefs<"useRelations_user">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "useRelations_user",
  "selections": [
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
      "name": "id",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "isPrivate",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "viewerCanSeePosts",
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
      "name": "viewerFollowRequested",
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
      "name": "viewerHidesFrom",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "viewerBlocks",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "UserCounters",
      "kind": "LinkedField",
      "name": "counters",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "followers",
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "User",
  "abstractKey": null
};

(node as any).hash = "cc6d4c9048100559422c455c97249aad";

export default node;
