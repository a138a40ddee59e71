import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { intentId } from "../../../src/domain/ids.ts";
import type { Intent, Outcome } from "../../../src/domain/intent.ts";
import { outcomeError } from "../../../src/http/present/outcome.ts";
import { presentIntent } from "../../../src/http/present/intent.ts";
import { settled } from "./http-kit.ts";

type Unprotected = Extract<Outcome, { kind: "unprotected" }>;

const protect: Intent = { kind: "PROTECT", contract: "ESZ2026" as ContractCode, levels: {} };
const OLD = "stop-loss of 2 ESZ6 at 990";
const STANDING = "take-profit of 2 ESZ6 at 1010";
const unprotected = (change: Partial<Unprotected>): Unprotected => ({
  kind: "unprotected",
  canceled: OLD,
  reason: "Not today",
  restored: false,
  ...change,
});

describe("a protection that was not replaced", () => {
  test.each([
    [
      {},
      `The position is unprotected. Cancelled: ${OLD}. The replacement failed: Not today`,
      `cancelled: ${OLD}; the replacement failed: Not today`,
    ],
    [
      { restored: true },
      `The replacement failed: Not today. Cancelled: ${OLD}; the old levels were put back under new ids`,
      `cancelled: ${OLD}; the replacement failed: Not today`,
    ],
    [
      { standing: STANDING },
      `The position is not protected as asked. It still has: ${STANDING}. No longer there: ${OLD}. The replacement failed: Not today`,
      `cancelled: ${OLD}; still there: ${STANDING}; the replacement failed: Not today`,
    ],
    [
      { standing: STANDING, canceled: "" },
      `The position is not protected as asked. It still has: ${STANDING}. The replacement failed: Not today`,
      `still there: ${STANDING}; the replacement failed: Not today`,
    ],
  ])("%j says how the position stands", (change, message, reason) => {
    const { record } = settled(unprotected(change), protect);
    const error = outcomeError({ ...record, intentId: intentId("i1") }, unprotected(change));
    expect([error.spec.code, error.message]).toEqual(["PROTECTION_REPLACE_FAILED", message]);
    const describeContract = () => ({
      symbol: "ESZ6",
      tickSize: "0.25",
      tickValue: "12.50",
      currency: "USD",
    });
    expect(presentIntent(record, describeContract).reason).toBe(reason);
  });
});
