/**
 * @generated SignedSource<<39fb2b66156292fa38cf9e3f97affbd1>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "CONFLICT" | "FOLLOW_LIMIT" | "FORBIDDEN" | "INVALID" | "NOT_FOUND" | "TOO_LONG";
export type UpdateProfileInput = {
  avatarUrl?: string | null | undefined;
  clientMutationId?: string | null | undefined;
  handle?: string | null | undefined;
  isPrivate?: boolean | null | undefined;
  name?: string | null | undefined;
};
export type PrivacySwitchMutation$variables = {
  input: UpdateProfileInput;
};
export type PrivacySwitchMutation$data = {
  readonly updateProfile: {
    readonly user: {
      readonly id: string;
      readonly isPrivate: boolean;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type PrivacySwitchMutation$rawResponse = {
  readonly updateProfile: {
    readonly user: {
      readonly id: string;
      readonly isPrivate: boolean;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly code: UserErrorCode;
      readonly message: string;
    }>;
  };
};
export type PrivacySwitchMutation = {
  rawResponse: PrivacySwitchMutation$rawResponse;
  response: PrivacySwitchMutation$data;
  variables: PrivacySwitchMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "UserPayload",
    "kind": "LinkedField",
    "name": "updateProfile",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "user",
        "plural": false,
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
            "name": "isPrivate",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "UserError",
        "kind": "LinkedField",
        "name": "userErrors",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "code",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "message",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "PrivacySwitchMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "PrivacySwitchMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "8ed779ec5fed59aa9d413fad4fcf51e3",
    "id": null,
    "metadata": {},
    "name": "PrivacySwitchMutation",
    "operationKind": "mutation",
    "text": "mutation PrivacySwitchMutation(\n  $input: UpdateProfileInput!\n) {\n  updateProfile(input: $input) {\n    user {\n      id\n      isPrivate\n    }\n    userErrors {\n      code\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "9c4c792ed169efca4c2b8ca022a10bd6";

export default node;
