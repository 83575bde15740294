/**
 * @generated SignedSource<<15be985d5bfc6b51fba45dedeaa3895b>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type PostAudience = "FOLLOWERS" | "PUBLIC";
import { FragmentRefs } from "relay-runtime";
export type PostCard_quoted$data = {
  readonly audience: PostAudience;
  readonly author: {
    readonly databaseId: string;
    readonly handle: string;
    readonly name: string;
  };
  readonly id: string;
  readonly media: ReadonlyArray<string>;
  readonly publishedAt: string;
  readonly text: string;
  readonly " $fragmentType": "PostCard_quoted";
};
export type PostCard_quoted$key = {
  readonly " $data"?: PostCard_quoted$data;
  readonly " $fragmentSpreads": FragmentRefs<"PostCard_quoted">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "PostCard_quoted",
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
      "name": "text",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "media",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "audience",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "publishedAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "User",
      "kind": "LinkedField",
      "name": "author",
      "plural": false,
      "selections": [
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
        }
      ],
      "storageKey": null
    }
  ],
  "type": "Post",
  "abstractKey": null
};

(node as any).hash = "e8bcf079915187a5f2e7b51ef51ab2d5";

export default node;
