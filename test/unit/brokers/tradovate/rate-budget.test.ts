import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { RateBudget, type RequestPurpose } from "../../../../src/brokers/tradovate/rate-budget.ts";

const PLACE = "order/placeorder";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LIMITS = { perHour: 900, perMinute: 90 };

let now: number;
let budget: RateBudget;

beforeEach(() => {
  now = 0;
  budget = new RateBudget(LIMITS, () => now);
});

function takeAll(purpose: RequestPurpose): number {
  let taken = 0;
  while (budget.take(purpose, PLACE) === undefined) taken += 1;
  return taken;
}

describe("the request budget", () => {
  test("entries leave room for exits, and questions leave room for entries", () => {
    const [asked, entered, protective] = [takeAll("read"), takeAll("entry"), takeAll("protect")];
    expect([asked, entered, protective].every((count) => count > 0)).toBe(true);
    expect(asked + entered + protective).toBe(LIMITS.perMinute / 3);
    expect(budget.take("entry", PLACE)).toMatch(/kept for exits/);
  });

  test("no rolling minute or hour sees more requests than it may", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 400 });
    fc.assert(
      fc.property(steps, (waits) => {
        now = 0;
        budget = new RateBudget(LIMITS, () => now);
        const at: number[] = [];
        for (const wait of waits) {
          now += wait;
          for (let n = 0; n < 40; n += 1) {
            if (budget.take("protect", PLACE) === undefined) at.push(now);
          }
        }
        for (const start of at) {
          const within = (ms: number) => at.filter((t) => t >= start && t < start + ms).length;
          expect(within(MINUTE_MS)).toBeLessThanOrEqual(LIMITS.perMinute);
          expect(within(HOUR_MS)).toBeLessThanOrEqual(LIMITS.perHour);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("a lockout holds an endpoint back for an hour, because requests make it longer", () => {
    budget.lockOut("order/deps?masterid=5");
    now += HOUR_MS - 1;
    expect(budget.take("protect", "order/deps?masterid=6")).toMatch(/locked.*order\/deps/);
    expect(budget.take("protect", PLACE)).toBeUndefined();
    now += 1;
    expect(budget.take("protect", "order/deps")).toBeUndefined();
  });

  test("a second endpoint that is locked out shows that all of them are", () => {
    budget.lockOut(PLACE);
    budget.lockOut(PLACE);
    expect(budget.take("protect", "order/cancelorder")).toBeUndefined();
    budget.lockOut("order/cancelorder");
    expect(budget.take("protect", "account/list")).toMatch(/locked this user out/);
    now += HOUR_MS;
    expect(budget.take("protect", "account/list")).toBeUndefined();
  });

  test("of those that have a limit of their own, each is locked out for itself", () => {
    for (const own of ["auth/renewaccesstoken", "auth/accesstokenrequest", "user/syncrequest"]) {
      budget.lockOut(own);
      expect(budget.lockedForMs(own)).toBe(HOUR_MS);
    }
    expect(budget.take("protect", PLACE)).toBeUndefined();
    budget.lockOut(PLACE);
    expect(budget.take("protect", "account/list")).toBeUndefined();
  });

  test("exits try a few times during a lockout, farther and farther apart, and then wait it out", () => {
    budget.lockOut(PLACE);
    const tries: number[] = [];
    for (let inMs = budget.exitTriesInMs(PLACE); inMs !== undefined;) {
      now += inMs - 1;
      expect(budget.tryExit(PLACE)).toBe(false);
      now += 1;
      expect(budget.tryExit(PLACE)).toBe(true);
      tries.push(now);
      budget.lockOut(PLACE);
      inMs = budget.exitTriesInMs(PLACE);
    }
    expect(tries).toEqual([1_500, 11_500, 76_500]);
    expect(budget.lockedForMs(PLACE)).toBe(HOUR_MS);
    now += HOUR_MS;
    budget.lockOut(PLACE);
    expect(budget.exitTriesInMs(PLACE)).toBe(1_500);
  });

  test("exits that wait for the same try go together, until one of them is refused", () => {
    budget.lockOut(PLACE);
    now += 1_500;
    expect([budget.tryExit(PLACE), budget.tryExit(PLACE)]).toEqual([true, true]);
    budget.lockOut(PLACE);
    expect(budget.tryExit(PLACE)).toBe(false);
  });

  test("what answers a try is open again, and so are all where it shows that the user is", () => {
    for (const one of [PLACE, "order/cancelorder"]) budget.lockOut(one);
    now += 1_500;
    expect(budget.tryExit(PLACE)).toBe(true);
    budget.open(PLACE);
    expect(budget.take("entry", PLACE)).toBeUndefined();
    expect(budget.take("read", "account/list")).toBeUndefined();
    expect(budget.lockedForMs("order/cancelorder")).toBe(HOUR_MS - 1_500);
  });

  test("the next owner keeps to what is left of it", () => {
    for (const one of [PLACE, "order/cancelorder", "auth/renewaccesstoken"]) budget.lockOut(one);
    now += HOUR_MS / 2;
    const next = new RateBudget(LIMITS, () => now);
    next.restore(budget.lockouts);
    expect(next.lockedForMs("account/list")).toBe(HOUR_MS / 2);
    now += HOUR_MS / 2;
    expect(next.lockedForMs("auth/renewaccesstoken")).toBe(0);
  });

  test("the next owner tries no session: owners that follow one another would do so without end", () => {
    budget.lockOut("authorize");
    const next = new RateBudget(LIMITS, () => now);
    next.restore(budget.lockouts);
    expect([budget.sessionInMs, next.sessionInMs]).toEqual([1_500, HOUR_MS]);
  });

  test("after a warning only exits go on", () => {
    budget.warn(PLACE);
    expect(budget.take("entry", PLACE)).toMatch(/warned/);
    expect(budget.take("read", PLACE)).toMatch(/warned/);
    expect(budget.take("protect", PLACE)).toBeUndefined();
    now += 5 * MINUTE_MS;
    expect(budget.take("entry", PLACE)).toBeUndefined();
  });

  test("a warning of an endpoint with a limit of its own concerns that one", () => {
    budget.warn("user/syncrequest");
    expect(budget.take("entry", PLACE)).toBeUndefined();
    expect(budget.take("read", "user/syncrequest")).toMatch(/warned/);
  });
});
