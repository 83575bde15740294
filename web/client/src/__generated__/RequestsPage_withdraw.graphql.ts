/**
 * @generated SignedSource<<7554f3cc4f767d0206a1ad435fd2e697>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type RequestsPage_withdraw$data = {
  readonly " $fragmentSpreads": FragmentRefs<"useRelations_user">;
  readonly " $fragmentType": "RequestsPage_withdraw";
};
export type RequestsPage_withdraw$key = {
  readonly " $data"?: RequestsPage_withdraw$data;
  readonly " $fragmentSpreads": FragmentRefs<"RequestsPage_withdraw">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "RequestsPage_withdraw",
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

(node as any).hash = "55d6858c2c073c7a0ca2f9b92c2c0aed";

export default node;
