// The goal: whoever reads lists and logs stands before no alert's commands.
// The method: write down which connection of a whole gateway carries which command.
import { Redis } from "ioredis";
import { beforeAll, expect, test, vi } from "vitest";
import { admit } from "../../src/store/people/admit.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";

interface Sent {
  readonly redis: unknown;
  readonly words: readonly string[];
}

const send = vi.spyOn(Redis.prototype, "sendCommand");
const sent = (): readonly Sent[] =>
  send.mock.calls.map(([{ name, args }], at) => ({
    redis: send.mock.contexts[at],
    words: [name, ...args.map(String)],
  }));

const isAdmission = ({ words: [name, first] }: Sent): boolean =>
  name === "evalsha" && first === admit.sha1;

let gateway: TestGateway;

/** Of accounts and what is theirs; other things are looked at now and then, whoever reads. */
function isRead({ words }: Sent): boolean {
  const { accounts, laneNames } = gateway.keys;
  return words.some(
    (word) =>
      word === accounts ||
      word === laneNames ||
      word.includes("{paper-1}") ||
      word.endsWith(":alert-accounts"),
  );
}

beforeAll(async () => {
  gateway = await startGateway({ settings: { LOG_LEVEL: "error" } });
  return async () => {
    await gateway.stop();
    send.mockRestore();
  };
});

const ORDER = { symbol: "ES1!", action: "buy", qty: 1 };

test("a read leaves nothing but its admission on the connection of alerts", async () => {
  const { api } = gateway;
  for (let n = 0; n < 3; n += 1) await gateway.alert({ ...ORDER, alertId: `alert-${n}` });
  const ofAlerts = sent().find(isAdmission)?.redis;
  expect(ofAlerts).toBeInstanceOf(Redis);
  const alerts = (await api.get("/v1/alerts")).body.alerts as readonly { alertId: string }[];
  expect(alerts).toHaveLength(3);
  const reads = [
    "/v1/accounts",
    "/v1/accounts/paper-1/positions",
    "/v1/accounts/paper-1/orders",
    "/v1/accounts/paper-1/intents",
    `/v1/accounts/paper-1/intents/${alerts[0]?.alertId}`,
    "/v1/alerts",
    "/v1/alerts?outcome=done&accountId=paper-1",
    `/v1/alerts/${alerts[0]?.alertId}`,
    "/v1/kill-switch",
    "/metrics",
  ];
  for (const path of reads) {
    send.mockClear();
    expect([path, (await api.get(path)).status]).toEqual([path, 200]);
    const beside = sent().filter(
      (one) => one.redis === ofAlerts && !isAdmission(one) && isRead(one),
    );
    expect([path, beside.map(({ words }) => words)]).toEqual([path, []]);
  }
});
