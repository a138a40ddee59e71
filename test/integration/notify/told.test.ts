// The goal: what happens to an account reaches its user's receiver once, soon, and in words.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES");

interface Told {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>> & {
      readonly id: string;
      readonly message: string;
    };
  };
}

let gateway: TestGateway;
const told: Told[] = [];
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as Told["body"];
    told.push({ headers: request.headers, body });
    response.end("ok");
  });
});

beforeAll(async () => {
  gateway = await startGateway({ settings: { NOTIFY_ALLOW_PRIVATE: "127.0.0.0/8" } });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  const reply = await gateway.api.post("/v1/destinations", {
    name: "mine",
    kind: "webhook",
    settings: { url: `http://127.0.0.1:${port}/told` },
    rules: [{ tell: "on" }],
  });
  expect(reply.status, reply.text).toBe(201);
});

afterAll(async () => {
  receiver.close();
  await gateway.stop();
});

const of = (type: string) => told.filter(({ body }) => body.type === type);
const untilTold = async (type: string, count = 1) =>
  await waitUntil(`${type} is told`, () => of(type).length >= count, 15_000);

test("a fill is told with what the account holds since", async () => {
  await gateway.alert({
    symbol: "ES",
    action: "buy",
    qty: 2,
    takeProfit: { ticks: 40 },
    stopLoss: { ticks: 20 },
  });
  await untilTold("order.filled");
  console.log(JSON.stringify(told, null, 1).slice(0, 3000));
  console.log(gateway.log.filter((l) => l.includes("told")).slice(0, 5));
}, 30_000);
