// The goal: any process can ask a connection's owner now, and silence is never an answer.
// The method: two desks on a real Redis, one that asks and one that attends.
import { afterEach, beforeEach, expect, test } from "vitest";
import { openChannels } from "../../queues/channels.ts";
import { openOwnerDesk } from "../../queues/owner-desk.ts";
import { waitFor } from "../../src/app/wait-for.ts";
import { accountId, connectionId } from "../../src/domain/ids.ts";
import { BrokerReadError, type OwnerDesk } from "../../src/trading/ports.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const CONNECTION = connectionId("one");
const QUESTION = { kind: "positions", account: accountId("one-1") } as const;

let corner: RedisCorner;
let asking: OwnerDesk;
let attending: OwnerDesk;
let failures: unknown[];

beforeEach(async () => {
  corner = await openCorner();
  failures = [];
  [asking, attending] = [await open("ingress"), await open("worker")];
});
afterEach(() => corner.close());

async function open(processId: string): Promise<OwnerDesk> {
  return await openOwnerDesk({
    redis: await corner.open("request"),
    channels: openChannels(await corner.open("worker")),
    processId,
    questionsOf: corner.keys.questions,
    answersOf: corner.keys.answers,
    waitFor,
    onError: (error) => failures.push(error),
  });
}

test("a question is answered by the owner, and each asker gets its own answer", async () => {
  await attending.attend(CONNECTION, async (question) => [question]);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const question = { ...QUESTION, account: accountId(`one-${index}`) };
      return [question, await asking.ask(CONNECTION, question)];
    }),
  );
  for (const [question, answer] of answers) expect(answer).toEqual([question]);
});

test("without an owner it is refused at once", async () => {
  await expect(asking.ask(CONNECTION, QUESTION)).rejects.toThrow(BrokerReadError);
});

test("an owner that has left is no owner", async () => {
  const leave = await attending.attend(CONNECTION, async () => []);
  expect(await asking.ask(CONNECTION, QUESTION)).toEqual([]);
  leave();
  await expect(asking.ask(CONNECTION, QUESTION)).rejects.toThrow(BrokerReadError);
});

test("a broker that cannot be read is refused, never empty", async () => {
  await attending.attend(CONNECTION, async () => {
    throw new BrokerReadError("The link is down");
  });
  await expect(asking.ask(CONNECTION, QUESTION)).rejects.toThrow(BrokerReadError);
  expect(failures).toEqual([]);
});

test("a mistake in the owner is refused too, and told to its log", async () => {
  await attending.attend(CONNECTION, async () => {
    throw new TypeError("a mistake");
  });
  await expect(asking.ask(CONNECTION, QUESTION)).rejects.toThrow(BrokerReadError);
  expect(failures.map(String)).toEqual(["TypeError: a mistake"]);
});

test("an owner that does not answer in time is refused", async () => {
  await attending.attend(CONNECTION, async () => await new Promise(() => undefined));
  await expect(asking.ask(CONNECTION, QUESTION)).rejects.toThrow("in time");
});
