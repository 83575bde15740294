/**
 * @generated SignedSource<<3d96f3d367cdfd2160691a84ead275ca>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type RelationMenu_user$data = {
  readonly handle: string;
  readonly " $fragmentSpreads": FragmentRefs<"useRelations_user">;
  readonly " $fragmentType": "RelationMenu_user";
};
export type RelationMenu_user$key = {
  readonly " $data"?: RelationMenu_user$data;
  readonly " $fragmentSpreads": FragmentRefs<"RelationMenu_user">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "RelationMenu_user",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "handle",
      "storageKey": null
    },
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "useRelations_user"
    }
  ],
  "type": "User",
  "abstractKey": null
};

(node as any).hash = "f55518cf140af3d66a39f5baaf52ae47";

export default node;
