import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { endWithTest } from "../support/side-by-side.ts";
import { WebSocket, WebSocketServer } from "ws";
import { waitUntil } from "../support/wait.ts";
import { websocketFrames } from "./frame-faults.ts";
import { startFaultProxy } from "./proxy.ts";

/** A WebSocket server that answers `ack:…`, a client behind a proxy, and what both heard. */
export async function openWebSocketPair() {
  const heard: string[] = [];
  const answers: string[] = [];
  const closes: string[] = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (peer) => {
    peer.on("error", () => undefined);
    peer.on("close", (code) => void closes.push(`server ${code}`));
    peer.on("message", (data: Buffer) => {
      heard.push(data.toString());
      peer.send(`ack:${data.toString()}`);
    });
  });
  await once(server, "listening");

  const frames = websocketFrames();
  const { port } = server.address() as AddressInfo;
  const proxy = await startFaultProxy({ target: { host: "127.0.0.1", port }, frames });
  const client = new WebSocket(proxy.url("ws"));
  client.on("message", (data: Buffer) => void answers.push(data.toString()));
  client.on("error", () => undefined);
  client.on("close", (code) => void closes.push(`client ${code}`));
  endWithTest(async () => {
    client.terminate();
    await proxy.stop();
    for (const peer of server.clients) peer.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  await once(client, "open");

  function say(...texts: readonly string[]): void {
    for (const text of texts) client.send(text);
  }

  /** What was sent before this word has come, unless it was held. */
  async function untilAnswered(word: string): Promise<void> {
    await waitUntil(`${word} is answered`, () => answers.includes(`ack:${word}`));
  }

  return { proxy, frames, client, heard, answers, closes, say, untilAnswered };
}
