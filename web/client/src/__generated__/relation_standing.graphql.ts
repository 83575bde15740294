/**
 * @generated SignedSource<<94ca28c58ecc0941145bbec25b3ddde1>>
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
  readonly viewerBlocks: boolean;
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

(node as any).hash = "683e1a79f672f5536fb65310f420ee1a";

export default node;
