/**
 * @generated SignedSource<<d81548e3272e21ed36ca305d956bd568>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type RequestsPage_user$data = {
  readonly handle: string;
  readonly id: string;
  readonly " $fragmentType": "RequestsPage_user";
};
export type RequestsPage_user$key = {
  readonly " $data"?: RequestsPage_user$data;
  readonly " $fragmentSpreads": FragmentRefs<"RequestsPage_user">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "RequestsPage_user",
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

(node as any).hash = "73e5443c257a2007bd7be8b1b20ab1eb";

export default node;
