import { FLATTENED, ORDER } from "./examples.ts";

/** Account groups of the story that `examples.ts` tells. */

export const ACCOUNT_GROUP = {
  id: "ag_7b1e93c2d054",
  name: "Evaluations",
  members: [
    {
      accountId: "paper-1",
      enabled: true,
      multiplier: "1",
      fixedQty: null,
      size: null,
      symbolMap: {},
    },
    {
      accountId: "paper-2",
      enabled: true,
      multiplier: "5",
      fixedQty: null,
      size: null,
      symbolMap: { ES: "MES" },
    },
  ],
  createdAt: "2026-09-21T14:30:00.000Z",
};

export const ACCOUNT_GROUP_BODIES = {
  two: {
    name: "Evaluations",
    members: [
      { accountId: "paper-1" },
      { accountId: "paper-2", multiplier: "5", symbolMap: { ES: "MES" } },
    ],
  },
};

const LOCKED = {
  code: "LOCKED",
  message: "The account is locked by its guards: only exits are let through",
  details: [],
  retry: "never",
  requestId: "7d0f6a52-6f0c-4bde-8f6e-0d9f6f0a2a11",
};

export const GROUP_ORDERED = {
  groupId: ACCOUNT_GROUP.id,
  accounts: [
    { httpStatus: 201, ...ORDER },
    { accountId: "paper-2", httpStatus: 422, error: LOCKED },
  ],
};

export const GROUP_FLATTENED = {
  groupId: ACCOUNT_GROUP.id,
  accounts: [{ httpStatus: 200, ...FLATTENED }],
};
