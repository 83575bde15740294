/**
 * @generated SignedSource<<c8fcc26ed5002ec12581af0e07265d1c>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type LiveState = "LIVE" | "REPLAY" | "UPCOMING";
import { FragmentRefs } from "relay-runtime";
export type LiveCard_session$data = {
  readonly endedAt: string | null | undefined;
  readonly host: {
    readonly databaseId: string;
    readonly handle: string;
    readonly name: string;
  };
  readonly id: string;
  readonly replayUrl: string | null | undefined;
  readonly scheduledAt: string;
  readonly startedAt: string | null | undefined;
  readonly state: LiveState;
  readonly title: string;
  readonly " $fragmentType": "LiveCard_session";
};
export type LiveCard_session$key = {
  readonly " $data"?: LiveCard_session$data;
  readonly " $fragmentSpreads": FragmentRefs<"LiveCard_session">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "LiveCard_session",
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
      "name": "title",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "state",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "scheduledAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "startedAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "endedAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "replayUrl",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "User",
      "kind": "LinkedField",
      "name": "host",
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
  "type": "LiveSession",
  "abstractKey": null
};

(node as any).hash = "b80489ac9abae404bcee6f4de2b1a546";

export default node;
