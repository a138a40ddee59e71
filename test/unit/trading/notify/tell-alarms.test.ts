// The goal: a state is told once, and as over only by whoever has seen that it is.
import { beforeEach, expect, test } from "vitest";
import { accountId } from "../../../../src/domain/ids.ts";
import { AlarmBoard } from "../../../../src/trading/alarms/alarm-board.ts";
import { createTellAlarms } from "../../../../src/trading/notify/tell-alarms.ts";

const DIFFERS = { kind: "moneyDiffers", accountId: accountId("c1-1"), currency: "USD" } as const;

let told: string[];
let alarms: AlarmBoard;

beforeEach(() => {
  told = [];
  alarms = new AlarmBoard((error) => {
    throw error;
  });
  alarms.listen(createTellAlarms({ now: () => 0, note: (_, { type }) => void told.push(type) }));
});

test("what nobody sees for a while is not told as over, and told again once it is found again", () => {
  alarms.raise({ ...DIFFERS, reason: "5 USD" });
  alarms.raise({ ...DIFFERS, reason: "6 USD" });
  alarms.clear(DIFFERS, "unseen");
  expect(told.splice(0)).toEqual(["attention.needed"]);
  alarms.raise({ ...DIFFERS, reason: "6 USD" });
  alarms.clear(DIFFERS);
  expect(told).toEqual(["attention.needed", "attention.over"]);
});

test("clocks that are apart are told to everybody, what guards raise is found by what stands", () => {
  alarms.raise({ kind: "guardBlind", accountId: accountId("c1-1"), reason: "No price" });
  expect(told).toEqual([]);
  alarms.raise({ kind: "clockApart", reason: "2.4 s" });
  alarms.clear({ kind: "clockApart" });
  expect(told).toEqual(["attention.needed", "attention.over"]);
});
