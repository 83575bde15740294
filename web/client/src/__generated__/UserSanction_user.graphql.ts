/**
 * @generated SignedSource<<620b77dd4f8357385aa028346d19eacd>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type UserSanction_user$data = {
  readonly handle: string;
  readonly id: string;
  readonly " $fragmentType": "UserSanction_user";
};
export type UserSanction_user$key = {
  readonly " $data"?: UserSanction_user$data;
  readonly " $fragmentSpreads": FragmentRefs<"UserSanction_user">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "UserSanction_user",
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
    }
  ],
  "type": "User",
  "abstractKey": null
};

(node as any).hash = "0b1196c3a8d10447651ce33a08a44d03";

export default node;
