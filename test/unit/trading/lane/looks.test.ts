import { expect, test } from "vitest";
import { accountId } from "../../../../src/domain/ids.ts";
import { Looks } from "../../../../src/trading/lane/looks.ts";

const ACCOUNT = accountId("paper-1");

/** A look whose timers end so much sooner than the clock says; answers for when each was asked. */
function lookAt() {
  const asked: number[] = [];
  const clock = { now: 1_000 };
  const looks = new Looks({
    look: () => undefined,
    after: (inMs) => {
      asked.push(clock.now + inMs);
    },
    elapsed: () => clock.now,
  });
  return { clock, asked, ask: (inMs: number) => looks.ask(ACCOUNT, inMs) };
}

test("an earlier look serves all that ask for a later one", () => {
  const { asked, ask } = lookAt();
  ask(500);
  ask(900);
  ask(500);
  expect(asked).toEqual([1_505]);
  ask(100);
  expect(asked).toEqual([1_505, 1_105]);
});

test.each([0, 1, 2])("a look whose timer ends %i ms early asks for the next one", (earlyMs) => {
  const { clock, asked, ask } = lookAt();
  ask(5_000);
  const [timer = 0] = asked;
  clock.now = timer - earlyMs;
  // It was not to wait for longer than that: what is left is less than a timer knows.
  ask(0.5);
  expect(asked).toHaveLength(2);
});

test("one that was asked for in vain keeps nobody from asking again", () => {
  const { clock, asked, ask } = lookAt();
  ask(100);
  clock.now += 200;
  ask(5_000);
  expect(asked).toHaveLength(2);
});
