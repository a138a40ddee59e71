// The goal: what cannot be seen is unknown, and never better than what was seen before.
// The method: an account whose connection is down, with and without a note of a missing stop.
import { expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId, connectionId, userId } from "../../../../src/domain/ids.ts";
import type { Exit } from "../../../../src/trading/reads/protection.ts";
import {
  createReadHoldings,
  type ReadHoldingsDeps,
} from "../../../../src/trading/reads/read-holdings.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";

const ES = "ESZ2026" as ContractCode;
const ACCOUNT = accountId("a-1");

async function protectionWith(noted: readonly Exit[]) {
  const deps = {
    views: {
      positions: async () =>
        await Promise.resolve({ value: [{ contract: ES, netQty: 1 }], asOf: 1 }),
    },
    board: { status: () => "RECONNECTING" },
    missingExits: async () => await Promise.resolve(new Map([[ACCOUNT, new Map([[ES, noted]])]])),
  } as unknown as ReadHoldingsDeps;
  const account = {
    accountId: ACCOUNT,
    userId: userId("u_1"),
    connectionId: connectionId("c-1"),
    active: true,
  } as StoredAccount;
  const [holding] = await createReadHoldings(deps).of([account]);
  return holding?.protection;
}

test("while its connection is down, a missing stop stays missing", async () => {
  expect(await protectionWith([])).toMatchObject({ kind: "unknown" });
  expect(await protectionWith(["STOP_LOSS"])).toEqual({ kind: "missing", exits: ["STOP_LOSS"] });
});
