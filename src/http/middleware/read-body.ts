import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { errors, type GatewayError } from "../../errors.ts";

const LIMIT_BYTES = 64 * 1024;

/** How much of a refused body is swallowed, so that its sender gets to read the refusal. */
const DRAIN_BYTES = 8 * 1024 * 1024;

/** Who waits for the rest of a body, and which connections can deliver none any more. */
const waiting = new WeakMap<Socket, (error: GatewayError) => void>();
const broken = new WeakMap<Socket, GatewayError>();

/** Tells whoever reads, or will read, a body from this connection that its rest will not come. */
export function failBody(socket: Socket, error: GatewayError): void {
  broken.set(socket, error);
  waiting.get(socket)?.(error);
}

/** The whole body as text, of at most 64 KiB, counted as the bytes come in. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    const message = "must be identity: compressed bodies are not read";
    throw errors.validationFailed([{ path: "Content-Encoding", message }]);
  }
  if (Number(request.headers["content-length"] ?? 0) > LIMIT_BYTES) {
    drain(request);
    throw bodyProblem(`must not be larger than 64 KiB (${LIMIT_BYTES} bytes)`);
  }
  return decodeUtf8(await collect(request));
}

function collect(request: IncomingMessage): Promise<Buffer> {
  const { socket } = request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;

    const fail = (error: GatewayError): void => {
      waiting.delete(socket);
      request.off("data", take);
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= LIMIT_BYTES) {
        chunks.push(chunk);
        return;
      }
      fail(bodyProblem(`must not be larger than 64 KiB (${LIMIT_BYTES} bytes)`));
      drain(request);
    };
    const cut = (): void => fail(bodyProblem("ended before it was complete"));

    const gone = broken.get(socket);
    if (gone !== undefined) return fail(gone);
    if (request.destroyed) return cut();
    waiting.set(socket, fail);
    request.on("data", take);
    request.once("end", () => {
      waiting.delete(socket);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    request.once("error", cut);
    request.once("close", cut);
  });
}

/** Reads on and forgets, up to a bound; the server's request timeout bounds the time. */
function drain(request: IncomingMessage): void {
  let left = DRAIN_BYTES;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
}

/** Bytes to text, without a byte order mark. */
function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw bodyProblem("is not UTF-8 text");
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function bodyProblem(message: string): GatewayError {
  return errors.validationFailed([{ path: "body", message }]);
}
