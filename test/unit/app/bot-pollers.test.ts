import { expect, test } from "vitest";
import { BotPollers } from "../../../src/app/bot-pollers.ts";
import type { BotId } from "../../../src/trading/answering/ports.ts";

const botOf = (id: string) => ({ id: id as BotId });

function pollersOf(most: number) {
  const told: string[] = [];
  const ends: (() => void)[] = [];
  const pollers = new BotPollers<{ id: BotId }>({
    pollerOf: ({ id }) => ({
      start: () => told.push(`start ${id}`),
      stop: async () => {
        told.push(`stop ${id}`);
        await new Promise<void>((resolve) => ends.push(resolve));
      },
    }),
    most,
    tooMany: () => told.push("too many"),
    failed: () => undefined,
  });
  return { pollers, told, ends };
}

test("a bot is not asked anew before its last poller has stopped", async () => {
  const { pollers, told, ends } = pollersOf(2);
  pollers.ask([botOf("a")]);
  pollers.ask([]);
  pollers.ask([botOf("a"), botOf("b")]);
  expect(told).toEqual(["start a", "stop a", "start b"]);
  ends[0]?.();
  await new Promise(setImmediate);
  pollers.ask([botOf("a"), botOf("b")]);
  expect(told.at(-1)).toBe("start a");
});

test("more bots than are asked are told of", () => {
  const { pollers, told } = pollersOf(1);
  pollers.ask([botOf("a"), botOf("b")]);
  expect(told).toEqual(["start a", "too many"]);
});

test("stopping waits for those that were stopping already", async () => {
  const { pollers, ends } = pollersOf(2);
  pollers.ask([botOf("a")]);
  pollers.ask([botOf("b")]);
  let isStopped = false;
  const stopped = pollers.stop().then(() => (isStopped = true));
  ends[1]?.();
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  ends[0]?.();
  await stopped;
});
