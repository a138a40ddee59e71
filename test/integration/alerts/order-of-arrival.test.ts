// The goal: of two alerts of one webhook, the one that came first is accepted first, in every account.
// The method: a way out and an entry right behind it, many times: where the entry is accepted first, it
// is overtaken, and the account stays flat. Both come on one connection, so their order is certain.
import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { accountNames, startGateway, type TestGateway } from "../../support/gateway.ts";
import { openGroupDesk } from "../account-groups/group-desk.ts";
import { openPaperDesk } from "./alert-desk.ts";

const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const OUT = { action: "flatten" };
const nextAccount = accountNames(20);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-20" } });
  return gateway.stop;
});

/** Posts the way out and, before its answer, the entry. Answers both statuses. */
async function outAndIn(url: string, comment: string): Promise<readonly number[]> {
  const { hostname, port, pathname, host } = new URL(url);
  const post = (alert: object, connection: string): string => {
    const body = JSON.stringify({ ...alert, comment });
    const head = [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${host}`,
      `Connection: ${connection}`,
      `Content-Length: ${body.length}`,
    ];
    return `${head.join("\r\n")}\r\n\r\n${body}`;
  };
  const socket = connect(Number(port), hostname);
  let answers = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answers += text));
  socket.write(post(OUT, "keep-alive") + post(BUY, "close"));
  await once(socket, "close");
  // The second answer begins on the line on which the body of the first one ends.
  return [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

test("by a webhook that no process has remembered yet", async () => {
  const account = nextAccount();
  for (let n = 0; n < 12; n += 1) {
    const desk = await openPaperDesk(gateway, account);
    expect(await outAndIn(desk.url, `pair ${n}`)).toEqual([200, 200]);
    await desk.done({ ...OUT, comment: `end ${n}` });
  }
});

test("by a webhook for a group", async () => {
  const desk = await openGroupDesk(() => gateway.api, Array.from({ length: 10 }, nextAccount));
  for (let n = 0; n < 12; n += 1) {
    expect(await outAndIn(desk.url, `pair ${n}`)).toEqual([200, 200]);
    await desk.send({ ...OUT, comment: `end ${n}` });
  }
});
