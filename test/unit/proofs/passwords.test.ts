import { describe, expect, test } from "vitest";
import { createPasswords, createTurns } from "../../../src/proofs/passwords.ts";

describe("passwords", () => {
  const passwords = createPasswords();

  test("what was chosen is right, and nothing else is", async () => {
    const hash = await passwords.hash("correct horse battery");
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(hash, "correct horse battery")).toBe(true);
    for (const wrong of ["correct horse batterY", "", "correct horse battery "]) {
      expect(await passwords.verify(hash, wrong)).toBe(false);
    }
  });

  test("two hashes of one password are not the same", async () => {
    const [one, other] = await Promise.all([
      passwords.hash("a password"),
      passwords.hash("a password"),
    ]);
    expect(one).not.toBe(other);
  });

  test("an accent is the same letter in each of its encodings", async () => {
    const hash = await passwords.hash("caf\u00e9 au lait chaud");
    expect(await passwords.verify(hash, "cafe\u0301 au lait chaud")).toBe(true);
  });

  test("nobody's password is never right", async () => {
    expect(await passwords.verify(undefined, "")).toBe(false);
    expect(await passwords.verify(undefined, "correct horse battery")).toBe(false);
  });
});

describe("turns", () => {
  /** Work that ends when the test says so. */
  function byHand() {
    const running: (() => void)[] = [];
    const order: number[] = [];
    const work = (number: number) => async () => {
      order.push(number);
      await new Promise<void>((resolve) => running.push(resolve));
      return number;
    };
    return { order, work, endOne: () => running.shift()?.() };
  }
  const settle = async () => {
    for (let n = 0; n < 10; n += 1) await Promise.resolve();
  };

  test("two run, the rest wait in their order, and what comes beyond is refused", async () => {
    const { order, work, endOne } = byHand();
    const inTurn = createTurns(2, 2);
    const all = [1, 2, 3, 4].map((number) => inTurn(work(number)));
    await settle();
    expect(order).toEqual([1, 2]);
    await expect(inTurn(work(5))).rejects.toMatchObject({ spec: { code: "SIGN_IN_BUSY" } });
    for (const expected of [
      [1, 2, 3],
      [1, 2, 3, 4],
    ]) {
      endOne();
      await settle();
      expect(order).toEqual(expected);
    }
    endOne();
    endOne();
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
    const later = inTurn(work(6));
    await settle();
    endOne();
    expect(await later).toBe(6);
  });

  test("work that fails gives its place on", async () => {
    const inTurn = createTurns(1, 1);
    const failed = inTurn(async () => await Promise.reject(new Error("broken")));
    const next = inTurn(async () => "done");
    await expect(failed).rejects.toThrow("broken");
    expect(await next).toBe("done");
  });
});
