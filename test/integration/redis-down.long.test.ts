// The goal: while Redis is away every caller hears the truth in time, and nothing is placed late.
// The method: kill and freeze the gateway's own Redis under a storm of orders, and count at the end.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, type TestContext } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call } from "../support/http-client.ts";
import {
  alertSender,
  apiSender,
  intentToLookUp,
  isSuccess,
  type Posted,
  startStorm,
  type Storm,
} from "../support/order-storm.ts";
import { waitUntil } from "../support/wait.ts";

/** How long a call waits for one answer of Redis. */
const COMMAND_WAITS_MS = 1_000;

const ACCOUNTS = ["paper-1", "paper-2", "paper-3"];

async function openGateway({ onTestFinished }: TestContext): Promise<TestGateway> {
  const settings = {
    PAPER_ACCOUNTS: "1-3",
    DEFAULT_MAX_POSITION_QTY: "100000",
    ENTRY_MAX_AGE_SECONDS: "5",
  };
  // That answers come in time is the promise, also where the outcome cannot come.
  const gateway = await startGateway({ settings, answersOnTime: true });
  onTestFinished(gateway.stop);
  return gateway;
}

async function sendersOf(gateway: TestGateway) {
  const hooks = await Promise.all(
    ACCOUNTS.map(async (account) => {
      const { url } = await gateway.createWebhook(account);
      return alertSender(url, account);
    }),
  );
  return [...hooks, ...ACCOUNTS.map((account) => apiSender(gateway.url, gateway.key, account))];
}

async function isReady(gateway: TestGateway): Promise<boolean> {
  return (await call(gateway.url, "GET", "/readyz")).status === 200;
}

/** Resolves once orders are well on their way. */
async function startStormOn(gateway: TestGateway, { onTestFinished }: TestContext) {
  const storm = startStorm(await sendersOf(gateway));
  onTestFinished(async () => void (await storm.end()));
  await waitUntil("orders fill", () => storm.posted.filter(isSuccess).length > 60);
  return storm;
}

/** Ends the storm once an order that was posted after the given instant is filled. */
async function untilFilledAgain(storm: Storm, sinceAt: number): Promise<readonly Posted[]> {
  await waitUntil("orders are filled again", () =>
    storm.posted.some((one) => one.postedAt > sinceAt && isSuccess(one)),
  );
  return await storm.end();
}

async function untilSettled(gateway: TestGateway): Promise<void> {
  await waitUntil("nothing is unsettled", async () => {
    const open = await Promise.all(
      ACCOUNTS.map(async (account) => {
        const { status, body } = await gateway.api.get(`/v1/accounts/${account}/intents`);
        return status === 200 && body.intents.length === 0;
      }),
    );
    return open.every(Boolean) && (await isReady(gateway));
  });
}

/** The states of intents by their number: what was answered without an outcome and can be asked for. */
async function lookUp(gateway: TestGateway, posted: readonly Posted[]) {
  return await Promise.all(
    posted.map(async (one) => {
      const id = intentToLookUp(one);
      const { status, body } = await gateway.api.get(`/v1/accounts/${one.account}/intents/${id}`);
      return { account: one.account, state: status === 404 ? "none" : body.state };
    }),
  );
}

/** What the broker has is what callers were told, and what they can look up. */
async function expectTheTruth(gateway: TestGateway, posted: readonly Posted[]): Promise<void> {
  const told = posted.filter(isSuccess);
  const open = posted.filter((one) => !isSuccess(one) && intentToLookUp(one) !== undefined);
  const found = await lookUp(gateway, open);
  for (const account of ACCOUNTS) {
    const done = [...told, ...found.filter(({ state }) => state === "done")].filter(
      (one) => one.account === account,
    );
    const { orders, qty } = await gateway.broker.filled(account);
    expect([account, orders, qty]).toEqual([account, done.length, done.length]);
  }
}

/** What a caller may be told, and whether it may try again; a 422 is OUTCOME_PENDING alone. */
const RETRY: Readonly<Record<Posted["via"], Readonly<Record<number, string | undefined>>>> = {
  api: { 201: undefined, 422: "safe", 500: "check-first", 503: "safe" },
  webhook: { 200: undefined, 202: undefined, 422: "safe", 503: "safe", 504: "check-first" },
};

function expectHonestAnswers(posted: readonly Posted[]): void {
  for (const { reply, via } of posted) {
    expect(Object.keys(RETRY[via])).toContain(String(reply?.status));
    expect(reply?.body.error?.retry).toBe(RETRY[via][reply?.status ?? 0]);
  }
  // Whoever is not told how it ended can look it up.
  const open = posted.filter(({ reply }) => [202, 500, 504].includes(reply?.status ?? 0));
  expect(open.map(intentToLookUp)).not.toContain(undefined);
}

test("its kill loses and doubles nothing, and it comes back by itself", async (context) => {
  const gateway = await openGateway(context);
  const storm = await startStormOn(gateway, context);

  const before = await gateway.redisPid();
  process.kill(before, "SIGKILL");
  await waitUntil("another Redis runs", async () => (await gateway.redisPid()) !== before);
  await waitUntil("the gateway is ready", () => isReady(gateway));
  const back = performance.now();
  const posted = await untilFilledAgain(storm, back);
  await untilSettled(gateway);

  expectHonestAnswers(posted);
  await expectTheTruth(gateway, posted);
  expect(Math.max(...posted.map(({ tookMs }) => tookMs))).toBeLessThan(20_000);
});

const FREEZES = [1_500, 4_000];

test.for(FREEZES)("frozen for %i ms, it makes nobody wait", async (ms, context) => {
  const gateway = await openGateway(context);
  const storm = await startStormOn(gateway, context);

  const pid = await gateway.redisPid();
  const frozenAt = performance.now();
  process.kill(pid, "SIGSTOP");
  context.onTestFinished(() => void process.kill(pid, "SIGCONT"));
  await sleep(ms);
  process.kill(pid, "SIGCONT");
  const thawedAt = performance.now();
  const posted = await untilFilledAgain(storm, thawedAt);
  await untilSettled(gateway);

  expectHonestAnswers(posted);
  await expectTheTruth(gateway, posted);
  // Redis stayed away for as long as they could wait for it.
  const during = posted.filter(
    ({ postedAt }) => postedAt > frozenAt && postedAt < thawedAt - COMMAND_WAITS_MS,
  );
  // How many met the freeze depends on the machine.
  process.stdout.write(`Frozen for ${ms} ms: ${during.length} of ${posted.length} met it\n`);
  expect(during.filter(({ tookMs }) => tookMs >= 15_000)).toEqual([]);
});

test("what needs no Redis is answered while it is frozen", async (context) => {
  const gateway = await openGateway(context);
  const pid = await gateway.redisPid();
  process.kill(pid, "SIGSTOP");
  context.onTestFinished(() => void process.kill(pid, "SIGCONT"));

  const [alive, ready, read] = await Promise.all([
    call(gateway.url, "GET", "/healthz"),
    call(gateway.url, "GET", "/readyz"),
    gateway.api.get("/v1/accounts"),
  ]);
  expect(alive.status).toBe(200);
  expect([ready.status, ready.body.checks.store]).toEqual([503, false]);
  expect([read.status, read.body.error.code]).toEqual([503, "STORE_UNAVAILABLE"]);
  process.kill(pid, "SIGCONT");
  await waitUntil("the gateway is ready again", () => isReady(gateway));
});
