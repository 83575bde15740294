/**
 * @generated SignedSource<<0568d73cc2ede4f62af816c96ee05ab5>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type ProfilePage_head$data = {
  readonly counters: {
    readonly followers: number;
    readonly following: number;
    readonly posts: number;
  };
  readonly createdAt: string;
  readonly databaseId: string;
  readonly handle: string;
  readonly id: string;
  readonly isPrivate: boolean;
  readonly name: string;
  readonly " $fragmentSpreads": FragmentRefs<"FollowButton_user" | "RelationMenu_user" | "RelationNotes_user" | "UserSanction_user" | "useFollowOptions_user">;
  readonly " $fragmentType": "ProfilePage_head";
};
export type ProfilePage_head$key = {
  readonly " $data"?: ProfilePage_head$data;
  readonly " $fragmentSpreads": FragmentRefs<"ProfilePage_head">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "ProfilePage_head",
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
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "createdAt",
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
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "following",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "posts",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "FollowButton_user"
    },
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "RelationMenu_user"
    },
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "RelationNotes_user"
    },
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "UserSanction_user"
    },
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "useFollowOptions_user"
    }
  ],
  "type": "User",
  "abstractKey": null
};

(node as any).hash = "7d9ca73b82444f157fe9dca50d948453";

export default node;
