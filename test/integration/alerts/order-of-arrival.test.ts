// The goal: of two alerts of one webhook, the one that came first is accepted first, in every account.
// The method: a way out and an entry right behind it, many times: where the entry is accepted first, it
// is overtaken, and the account stays flat.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { accountNames, startGateway, type TestGateway } from "../../support/gateway.ts";
import { openGroupDesk } from "../account-groups/group-desk.ts";
import { openPaperDesk } from "./alert-desk.ts";

const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const OUT = { action: "flatten" };
/** Far apart enough to arrive in their order, near enough to be answered by Redis in one piece. */
const APART_MS = 2;
const nextAccount = accountNames(20);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-20" } });
  return gateway.stop;
});

type Send = (alert: object) => Promise<{ readonly status: number }>;

/** Answers how the entry was answered. */
async function outAndIn(send: Send, comment: string): Promise<number> {
  const out = send({ ...OUT, comment });
  await sleep(APART_MS);
  const [, { status }] = await Promise.all([out, send({ ...BUY, comment })]);
  return status;
}

test("by a webhook that no process has remembered yet", async () => {
  const account = nextAccount();
  for (let n = 0; n < 12; n += 1) {
    const desk = await openPaperDesk(gateway, account);
    expect(await outAndIn(desk.send, `pair ${n}`)).toBe(200);
    await desk.done({ ...OUT, comment: `end ${n}` });
  }
});

test("by a webhook for a group", async () => {
  const desk = await openGroupDesk(() => gateway.api, Array.from({ length: 10 }, nextAccount));
  for (let n = 0; n < 12; n += 1) {
    expect(await outAndIn(desk.send, `pair ${n}`)).toBe(200);
    await desk.send({ ...OUT, comment: `end ${n}` });
  }
});
