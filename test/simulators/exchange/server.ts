import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { createControl } from "./control.ts";
import { Desk } from "./desk.ts";
import { EventLog } from "./event-log.ts";
import { Gate } from "./gate.ts";
import { Faults } from "./knobs.ts";

export interface ExchangeServer {
  /** Where sessions log in. */
  readonly url: string;
  /** Where knobs, log and state are. */
  readonly controlUrl: string;
}

const EXPIRY_CHECK_MS = 1_000;

/** The broker: an exchange with sessions over WebSocket, and a way to watch and disturb it. */
export async function startExchangeServer(port: number): Promise<ExchangeServer> {
  const now = Date.now;
  const log = new EventLog(now);
  const faults = new Faults();
  const desk = new Desk({
    now,
    onReport: (account, report) => gate.report(account, report),
    abilities: (account) => faults.abilities.get(gate.connectionOf(account) ?? ""),
  });
  const gate: Gate = new Gate({ desk, log, faults, now });
  const control = createControl({ desk, gate, log, faults, now });
  setInterval(() => desk.expireOrders(), EXPIRY_CHECK_MS).unref();

  const http = createServer((request, response) => {
    control(request, response).catch(() => response.destroy());
  });
  // Without compression a frame is written at once when it is sent.
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
  sockets.on("connection", (socket) => gate.welcome(socket));
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  const address = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { url: `ws://${address}`, controlUrl: `http://${address}` };
}
