// The goal: a person ends what was last seen of an account that cannot be read, in every place that keeps it.
import { expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { createForgetPositions } from "../../../../src/trading/connections/forget-positions.ts";
import { ACCOUNT, ES, NQ, USER } from "../lane-kit.ts";

/** Everything that is written once a person has asked for it. */
async function forget(isActive: boolean) {
  const written: [string, unknown][] = [];
  const { forgetPositions } = createForgetPositions({
    accounts: { require: async () => ({ active: isActive }) as never },
    views: {
      holdings: async () => ({
        base: new Map<ContractCode, number>([
          [ES, 3],
          [NQ, -1],
        ]),
        filledNet: new Map<ContractCode, number>([
          [ES, -5],
          [NQ, 1],
        ]),
        reconciledUpTo: 1,
      }),
      saveBase: async (_, { base }) => void written.push(["base", [...base]]),
      recordFills: async (_, fills, read) => {
        written.push(["positions", [fills, read?.positions]]);
        return { added: [], corrected: [], closes: new Map() };
      },
    },
    sides: { keep: async (_, account, { sides }) => void written.push([account, sides.size]) },
    now: () => 0,
  });
  const answer = await forgetPositions({ userId: USER } as never, ACCOUNT).catch(
    (error: unknown) => error,
  );
  return { answer, written };
}

test("an inactive account is flat then: in the ledger, in what is shown, and for other accounts", async () => {
  expect((await forget(false)).written).toEqual([
    ["base", [[ES, 5]]],
    ["positions", [[], []]],
    [ACCOUNT, 0],
  ]);
});

test("one that the gateway reads is closed instead", async () => {
  const { answer, written } = await forget(true);
  expect([answer, written]).toEqual([
    expect.objectContaining({ message: expect.stringContaining("close its positions") as string }),
    [],
  ]);
});
