import { describe, expect, test } from "vitest";
import { errors, GatewayError } from "../../../../src/errors.ts";
import { fanOut, type Target } from "../../../../src/trading/account-groups/fan-out.ts";

interface Script {
  readonly refusal?: Error;
  readonly earlier?: string | Error;
  readonly failure?: Error;
}

const MISTAKE = errors.validationFailed([{ path: "qty", message: "is wrong" }]);
const INACTIVE = errors.accountInactive();
const DOWN = errors.brokerUnavailable(undefined);

/** Accounts that answer by script, and what was sent to them in its order. */
function accounts(scripts: readonly Script[]) {
  const sent: number[] = [];
  const targets = scripts.map(({ refusal, earlier, failure }, n): Target<string, string> => ({
    prepare: async () => {
      if (refusal !== undefined) throw refusal;
      return `order ${n}`;
    },
    repeatEarlier: async () => {
      if (earlier instanceof Error) throw earlier;
      return earlier;
    },
    carryOut: async (prepared) => {
      sent.push(n);
      if (failure !== undefined) throw failure;
      return `${prepared} done`;
    },
  }));
  return { targets, sent };
}

const all = async (scripts: readonly Script[], isExit = false) => {
  const { targets, sent } = accounts(scripts);
  const carried = await fanOut(targets, { isExit });
  return {
    sent,
    came: carried.map((one) => ("answer" in one ? one.answer : one.failure)),
  };
};

const refusedAs = async (scripts: readonly Script[], isExit = false) => {
  const { targets, sent } = accounts(scripts);
  const failure: unknown = await fanOut(targets, { isExit }).catch((error: unknown) => error);
  return [failure, sent];
};

describe("what may open something", () => {
  test("goes to every account in the group's order", async () => {
    expect(await all([{}, {}, {}])).toEqual({
      sent: [0, 1, 2],
      came: ["order 0 done", "order 1 done", "order 2 done"],
    });
  });

  test("goes to none where it is wrong for one", async () => {
    expect(await refusedAs([{}, { refusal: MISTAKE }, {}])).toEqual([MISTAKE, []]);
  });

  test("goes to none where nobody knows what went wrong", async () => {
    const fault = new TypeError("a fault of ours");
    expect(await refusedAs([{}, { refusal: fault }])).toEqual([fault, []]);
  });

  test.each([
    ["an inactive account", INACTIVE],
    ["a broker that is away", DOWN],
  ])("%s is that account's own answer", async (_, refusal) => {
    expect(await all([{ refusal }, {}])).toEqual({ sent: [1], came: [refusal, "order 1 done"] });
  });

  test("a failure of one holds no other one back", async () => {
    const failure = new GatewayError("OUTCOME_UNKNOWN", "?");
    expect(await all([{ failure }, {}])).toEqual({
      sent: [0, 1],
      came: [failure, "order 1 done"],
    });
  });

  test("wrong by now, with a part carried out before: that part is answered, no other is sent", async () => {
    const asked = [{ earlier: "done before" }, { refusal: MISTAKE }, {}];
    expect(await all(asked)).toEqual({ sent: [], came: ["done before", MISTAKE, MISTAKE] });
  });

  test("wrong by now, where nobody knows whether a part was carried out, is no whole refusal", async () => {
    const unknown = errors.internal(undefined);
    expect(await all([{ earlier: unknown }, { refusal: MISTAKE }])).toEqual({
      sent: [],
      came: [unknown, MISTAKE],
    });
  });

  test("an inactive account answers with what was carried out there before", async () => {
    expect((await all([{ refusal: INACTIVE, earlier: "done before" }, {}])).came).toEqual([
      "done before",
      "order 1 done",
    ]);
  });
});

describe("a way out", () => {
  test("passes in one account, whatever it is in another one", async () => {
    expect(await all([{ refusal: MISTAKE }, {}], true)).toEqual({
      sent: [1],
      came: [MISTAKE, "order 1 done"],
    });
  });

  test("is refused as a whole where it is wrong for all", async () => {
    expect(await refusedAs([{ refusal: MISTAKE }, { refusal: MISTAKE }], true)).toEqual([
      MISTAKE,
      [],
    ]);
  });

  test("never waits for another account", async () => {
    const { targets, sent } = accounts([{}, {}]);
    const hangs = { ...targets[0], prepare: () => new Promise(() => undefined) } as never;
    void fanOut([hangs, targets[1] as Target<string, string>], { isExit: true });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual([1]);
  });
});
