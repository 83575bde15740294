/**
 * @generated SignedSource<<719317a3fa4a46772ba73ae69538c81a>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type Entry_entry$data = {
  readonly __id: string;
  readonly at: string;
  readonly by: string;
  readonly liftedAt: string | null | undefined;
  readonly liftedBy: string | null | undefined;
  readonly postDatabaseId: string | null | undefined;
  readonly postId: string | null | undefined;
  readonly reason: string;
  readonly until: string | null | undefined;
  readonly userDatabaseId: string | null | undefined;
  readonly userId: string | null | undefined;
  readonly " $fragmentType": "Entry_entry";
};
export type Entry_entry$key = {
  readonly " $data"?: Entry_entry$data;
  readonly " $fragmentSpreads": FragmentRefs<"Entry_entry">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Entry_entry",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "at",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "by",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "reason",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "until",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "liftedAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "liftedBy",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "postId",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "postDatabaseId",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "userId",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "userDatabaseId",
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
  "type": "ModerationLogEntry",
  "abstractKey": null
};

(node as any).hash = "22baabd8f238f121932c48a5ae456cb7";

export default node;
