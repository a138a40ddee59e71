import { expect, test } from "vitest";
import { Rounds } from "../../../../src/brokers/projectx/rounds.ts";

/** Rounds whose questions are answered by hand; the larger number goes before. */
function roundsByHand() {
  const asked: number[] = [];
  const answers: (() => void)[] = [];
  const rounds = new Rounds<number>(
    async (_, how) => {
      asked.push(how);
      await new Promise<void>((resolve) => answers.push(resolve));
    },
    (how, than) => how > than,
  );
  return { rounds, asked, answers };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("all who wait share a question that is put after they asked, in the way of the first of them", async () => {
  const { rounds, asked, answers } = roundsByHand();
  const first = rounds.next("a", 1);
  await turn();
  const all = [rounds.next("a", 1), rounds.next("a", 3), rounds.next("a", 2)];
  await turn();
  expect(asked).toEqual([1]);
  answers[0]?.();
  await first;
  await turn();
  expect(asked).toEqual([1, 3]);
  answers[1]?.();
  await Promise.all(all);
});

test("keys do not wait for each other, and a round that failed keeps nobody", async () => {
  const rounds = new Rounds<number>(
    async (key) => {
      if (key === "bad") throw new Error("away");
    },
    () => false,
  );
  const both = await Promise.allSettled([rounds.next("bad", 1), rounds.next("good", 1)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  await expect(rounds.next("bad", 1)).rejects.toThrow("away");
});
