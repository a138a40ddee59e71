import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { endWithTest } from "../support/side-by-side.ts";

/** One end of a connection, and what was read from it. */
export interface Peer {
  readonly socket: Socket;
  readonly chunks: readonly Buffer[];
  readonly text: string;
  /** `end`, `close`, or the code of an error, in the order they came. */
  readonly events: readonly string[];
}

export interface RecordingServer {
  readonly host: string;
  readonly port: number;
  readonly peers: readonly Peer[];
}

const HOST = "127.0.0.1";

export function recordPeer(socket: Socket): Peer {
  const chunks: Buffer[] = [];
  const events: string[] = [];
  socket.on("data", (bytes: Buffer) => void chunks.push(bytes));
  socket.on("end", () => void events.push("end"));
  socket.on("error", (error: NodeJS.ErrnoException) => void events.push(error.code ?? "error"));
  socket.on("close", () => void events.push("close"));
  return {
    socket,
    chunks,
    events,
    get text() {
      return Buffer.concat(chunks).toString("latin1");
    },
  };
}

/** Records what comes, and echoes it unless it is told to answer otherwise. */
export async function startRecordingServer(
  answer: (bytes: Buffer, socket: Socket) => void = (bytes, socket) => void socket.write(bytes),
): Promise<RecordingServer> {
  const peers: Peer[] = [];
  const server = createServer((socket) => {
    peers.push(recordPeer(socket));
    socket.on("data", (bytes: Buffer) => answer(bytes, socket));
  });
  server.listen(0, HOST);
  await once(server, "listening");
  endWithTest(async () => {
    const closed = once(server, "close");
    server.close();
    for (const { socket } of peers) socket.destroy();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return { host: HOST, port, peers };
}

/** A client that is connected, and destroyed after the test. */
export async function connectPeer(to: { readonly port: number }): Promise<Peer> {
  const peer = recordPeer(connect({ host: HOST, port: to.port, noDelay: true }));
  endWithTest(() => void peer.socket.destroy());
  await once(peer.socket, "connect");
  return peer;
}
