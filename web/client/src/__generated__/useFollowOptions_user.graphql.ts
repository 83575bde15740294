/**
 * @generated SignedSource<<cb3d8d81875c4a1c4348f3ae4bbfe661>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type useFollowOptions_user$data = {
  readonly handle: string;
  readonly id: string;
  readonly viewerFollowOptions: {
    readonly hideReplies: boolean;
    readonly hideReposts: boolean;
    readonly special: boolean;
  } | null | undefined;
  readonly viewerFollows: boolean;
  readonly " $fragmentType": "useFollowOptions_user";
};
export type useFollowOptions_user$key = {
  readonly " $data"?: useFollowOptions_user$data;
  readonly " $fragmentSpreads": FragmentRefs<"useFollowOptions_user">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "useFollowOptions_user",
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
      "concreteType": "FollowOptions",
      "kind": "LinkedField",
      "name": "viewerFollowOptions",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "special",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "hideReposts",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "hideReplies",
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "User",
  "abstractKey": null
};

(node as any).hash = "8e365f500e4a6441ded204735eec65e5";

export default node;
