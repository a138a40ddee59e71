import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Connection, joinSockets, PASS_THROUGH, type StreamLayer } from "./connection.ts";
import { hardReset } from "./hard-reset.ts";
import { createFaultList, type FaultHandle, type TcpFault } from "./tcp-faults.ts";

export type Endpoint = { readonly host: string; readonly port: number } | { readonly path: string };

export interface FaultProxyOptions {
  readonly target: Endpoint;
  /** A Unix socket to listen on; a free port of the loopback interface when absent. */
  readonly listen?: { readonly path: string };
  /** Faults of single WebSocket frames: what `websocketFrames()` returned. */
  readonly frames?: StreamLayer;
}

export interface FaultProxy {
  /** Where it listens, on 127.0.0.1; 0 when that is a Unix socket. */
  readonly port: number;
  /** For a client: `ws://127.0.0.1:1234` for the scheme `ws`; `unix:` and the path on a Unix socket. */
  readonly url: (scheme: string) => string;
  /** Connections of which one side at least is open. */
  readonly connections: number;
  /** Connections that were accepted so far, those that were refused included. */
  readonly accepted: number;
  readonly add: (fault: TcpFault) => FaultHandle;
  /** Removes every fault, those of frames too. */
  readonly clear: () => void;
  /** Resets every connection, once. */
  readonly cutAll: () => void;
  /** Ends every connection and resolves when nothing is open any more. */
  readonly stop: () => Promise<void>;
}

const HOST = "127.0.0.1";

/** Stands between a client and its target, passes everything on, and fails as it is told to. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const layer = options.frames ?? PASS_THROUGH;
  const faults = createFaultList();
  const open = new Set<Connection>();
  let accepted = 0;
  let stopping: Promise<void> | undefined;

  function accept(client: Socket): void {
    accepted += 1;
    const [refusal] = [...faults.active("refuse"), ...faults.active("down")];
    if (refusal !== undefined || stopping !== undefined) {
      if (refusal !== undefined) refusal.hits += 1;
      client.on("error", () => undefined);
      return hardReset(client);
    }
    const target = connect({ ...options.target, allowHalfOpen: true });
    const connection = joinSockets({ client, target, faults, layer });
    open.add(connection);
    void connection.closed.then(() => open.delete(connection));
  }

  function cutAll(): void {
    for (const connection of open) connection.reset();
  }

  async function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    cutAll();
    await Promise.all([closed, ...[...open].map((connection) => connection.closed)]);
  }

  // A side that has said all may still be listening: both directions end on their own.
  const server = createServer({ allowHalfOpen: true }, accept);
  server.listen(options.listen ?? { port: 0, host: HOST });
  await once(server, "listening");
  const port = options.listen === undefined ? (server.address() as AddressInfo).port : 0;

  return {
    port,
    url: (scheme) =>
      options.listen === undefined ? `${scheme}://${HOST}:${port}` : `unix:${options.listen.path}`,
    get connections() {
      return open.size;
    },
    get accepted() {
      return accepted;
    },
    add(fault) {
      const handle = faults.add(fault);
      if (fault.kind === "down") cutAll();
      return handle;
    },
    clear() {
      faults.clear();
      layer.clear();
    },
    cutAll,
    stop: () => (stopping ??= stop()),
  };
}
