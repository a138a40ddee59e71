// The goal: what is decided on was said by the broker, and a heartbeat says nothing.
import { describe, expect, test, vi } from "vitest";
import { Questions, type QuestionsDeps } from "../../../../src/brokers/tradovate/questions.ts";
import { BudgetUsedUpError } from "../../../../src/brokers/tradovate/requests.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";

type Read = QuestionsDeps["read"];

const USED_UP = new BudgetUsedUpError("used up");

/** At 100 s, with what the broker said and sent last, and a budget that these purposes may not use. */
function given({ spokeAt, frameAt, refused = [] }: Given = {}) {
  const clock = { now: 100_000 };
  const read = vi.fn<Read>(async (_endpoint, _query, purpose = "read") => {
    if (refused.includes(purpose)) throw USED_UP;
    return [];
  });
  const onAccounts = vi.fn<QuestionsDeps["onAccounts"]>();
  const questions = new Questions({
    read,
    onAccounts,
    heard: () => ({ spokeAt, frameAt }),
    elapsed: () => clock.now,
  });
  const purposes = () => read.mock.calls.map(([, , purpose]) => purpose);
  return { questions, clock, read, onAccounts, purposes };
}

interface Given {
  readonly spokeAt?: number;
  readonly frameAt?: number;
  readonly refused?: readonly string[];
}

test("who asks in the same turn is answered by one question, an exit by one of its own", async () => {
  const { questions, purposes, onAccounts } = given();
  await Promise.all([questions.ask("read"), questions.ask("protect"), questions.ask("read")]);
  expect(purposes()).toEqual(["read", "protect"]);
  expect(onAccounts).toHaveBeenCalledTimes(2);
});

test("a question that fails is no answer", async () => {
  const { questions, read, onAccounts } = given({ spokeAt: 100_000, frameAt: 100_000 });
  read.mockRejectedValue(new BrokerReadError("No answer in time"));
  await expect(questions.ask("read")).rejects.toThrow("No answer in time");
  expect(onAccounts).not.toHaveBeenCalled();
});

describe("when the budget for questions is used up", () => {
  test("what the broker said a moment ago counts", async () => {
    const { questions, purposes } = given({ spokeAt: 95_000, refused: ["read"] });
    await questions.ask("read");
    expect(purposes()).toEqual(["read"]);
  });

  test("heartbeats do not count: it is asked from what is kept for exits", async () => {
    const { questions, purposes, onAccounts } = given({
      spokeAt: 94_999,
      frameAt: 100_000,
      refused: ["read"],
    });
    await Promise.all([questions.ask("read"), questions.ask("read")]);
    expect(purposes()).toEqual(["read", "protect"]);
    expect(onAccounts).toHaveBeenCalledTimes(1);
  });

  test("an exit goes by an open socket where nothing at all may be asked", async () => {
    const { questions } = given({ frameAt: 99_000, refused: ["read", "protect"] });
    await expect(questions.ask("protect")).resolves.toBeUndefined();
  });

  test("a dead socket is no word of the broker", async () => {
    const { questions } = given({ frameAt: 94_000, refused: ["read", "protect"] });
    await expect(questions.ask("read")).rejects.toThrow("used up");
  });
});

describe("a session that nobody asks anything", () => {
  test("is asked every 15 s, so that its silence is found", async () => {
    const { questions, clock, purposes } = given();
    clock.now += 14_999;
    questions.sweep();
    clock.now += 1;
    questions.sweep();
    questions.sweep();
    await questions.ask("read");
    expect(purposes()).toEqual(["read"]);
  });

  test("is not asked besides what others ask", async () => {
    const { questions, clock, purposes } = given();
    clock.now += 14_000;
    await questions.ask("protect");
    clock.now += 14_999;
    questions.sweep();
    await Promise.resolve();
    expect(purposes()).toEqual(["protect"]);
  });
});
