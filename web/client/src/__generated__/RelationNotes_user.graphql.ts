/**
 * @generated SignedSource<<2a18b5d1113abd6cfd2d746b1e0287a2>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type RelationNotes_user$data = {
  readonly " $fragmentSpreads": FragmentRefs<"useRelations_user">;
  readonly " $fragmentType": "RelationNotes_user";
};
export type RelationNotes_user$key = {
  readonly " $data"?: RelationNotes_user$data;
  readonly " $fragmentSpreads": FragmentRefs<"RelationNotes_user">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "RelationNotes_user",
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

(node as any).hash = "d8f3bb1186abd4561033cfb64a2b3cae";

export default node;
