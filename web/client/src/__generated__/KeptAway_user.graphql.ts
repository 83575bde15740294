/**
 * @generated SignedSource<<6167b48ce01f6cb3f7772d2f1b567570>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type KeptAway_user$data = {
  readonly " $fragmentSpreads": FragmentRefs<"useRelations_user">;
  readonly " $fragmentType": "KeptAway_user";
};
export type KeptAway_user$key = {
  readonly " $data"?: KeptAway_user$data;
  readonly " $fragmentSpreads": FragmentRefs<"KeptAway_user">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "KeptAway_user",
  "selections": [
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "useRelations_user"
    }
  ],
  "type": "User",
  "abstractKey": null
};

(node as any).hash = "2024ee5a844666080202f0dbe0a0185a";

export default node;
