import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../../../src/app/wait-for.ts";

/** Two ends of one connection. */
async function open(): Promise<readonly [Socket, Socket]> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const near = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [far] = (await once(server, "connection")) as [Socket];
  onTestFinished(() => {
    for (const one of [near, far, server.close()]) if ("destroy" in one) one.destroy();
  });
  return [near, far];
}

function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("what came while the process was busy ends a wait before time does", async () => {
  const [near, far] = await open();
  let isHeard = false;
  const waited = waitFor(5, (wake) => {
    near.once("data", () => {
      isHeard = true;
      wake();
    });
  });
  far.write("here");
  keepBusy(20);
  await waited;
  expect(isHeard).toBe(true);
});

test("time ends a wait for what does not come", async () => {
  let wake: () => void = () => undefined;
  await waitFor(1, (end) => (wake = end));
  expect(wake).not.toThrow();
});
