import { describe, expect, it } from "vitest";
import { ByAccount, ListsByAccount } from "../../../src/domain/by-account.ts";
import { accountId } from "../../../src/domain/ids.ts";

const ONE = accountId("paper-1");
const TWO = accountId("paper-2");

describe("what accounts have in hand", () => {
  it("is there from being set until it is cleared", () => {
    const running = new ByAccount<{ readonly name: string }>();
    expect(running.has(ONE)).toBe(false);
    running.set(ONE, { name: "first" });
    running.set(TWO, { name: "other" });
    expect(running.get(ONE)).toEqual({ name: "first" });
    running.clear(ONE);
    expect([running.get(ONE), running.has(ONE)]).toEqual([undefined, false]);
    expect(running.values()).toEqual([{ name: "other" }]);
    running.set(ONE, { name: "second" });
    expect(running.values()).toEqual([{ name: "second" }, { name: "other" }]);
  });

  it("keeps several of an account in the order in which they came", () => {
    const waiting = new ListsByAccount<string>();
    for (const name of ["a", "b", "a"]) waiting.add(ONE, name);
    waiting.add(TWO, "c");
    expect(waiting.of(ONE)).toEqual(["a", "b", "a"]);
    waiting.remove(ONE, "a");
    waiting.remove(ONE, "unknown");
    waiting.remove(accountId("nobody"), "a");
    expect(waiting.of(ONE)).toEqual(["b", "a"]);
    expect(waiting.all()).toEqual(["b", "a", "c"]);
    expect(waiting.of(accountId("nobody"))).toEqual([]);
  });
});
