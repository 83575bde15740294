/**
 * @generated SignedSource<<0e006a772bc5ab2b95389daac6f09997>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type relation_standing$data = {
  readonly counters: {
    readonly followers: number;
  };
  readonly id: string;
  readonly isPrivate: boolean;
  readonly viewerBlocks: boolean;
  readonly viewerCanSeePosts: boolean;
  readonly viewerFollowRequested: boolean;
  readonly viewerFollows: boolean;
  readonly viewerHidesFrom: boolean;
  readonly viewerMutes: boolean;
  readonly " $fragmentType": "relation_standing";
};
export type relation_standing$key = {
  readonly " $data"?: relation_standing$data;
  readonly " $fragmentSpreads": FragmentRefs<"relation_standing">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "relation_standing",
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

(node as any).hash = "502a2dffae246aa6278d7d0addb798f5";

export default node;
