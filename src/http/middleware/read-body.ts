import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { errors, GatewayError } from "../../errors.ts";
import type { BodyReader } from "../requests/validate.ts";

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

/** The whole body as text, of at most 64 KiB or what the route takes, counted as the bytes come in. */
export async function readBody(
  request: IncomingMessage,
  limit: number = LIMIT_BYTES,
): Promise<string> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    const message = "must be identity: compressed bodies are not read";
    throw errors.validationFailed([{ path: "Content-Encoding", message }]);
  }
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    drain(request);
    throw tooLarge(limit);
  }
  return decodeUtf8(await collect(request, limit));
}

/** Calls back once the body is read and forgotten, or its rest will not come. */
export function skipBody(request: IncomingMessage, onEnd: () => void): void {
  const { socket } = request;
  const end = (): void => {
    if (waiting.get(socket) === end) waiting.delete(socket);
    request.off("end", end);
    onEnd();
  };
  waiting.set(socket, end);
  request.resume().once("end", end);
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { socket } = request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOpen = true;

    const close = (): void => {
      isOpen = false;
      if (waiting.get(socket) === failRest) waiting.delete(socket);
    };
    const fail = (error: GatewayError): void => {
      close();
      request.off("data", take);
      reject(error);
    };
    // The end of a body and bytes that break the connection may arrive in one segment.
    const failRest = (error: GatewayError): void => {
      if (!request.complete) fail(error);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      fail(tooLarge(limit));
      drain(request);
    };
    // Every request closes in the end; only those that were not read to theirs are cut.
    const cut = (): void => {
      if (isOpen) fail(bodyProblem("ended before it was complete"));
    };

    // What has come in completely is not touched by what the connection does next.
    if (!request.complete) {
      const gone = broken.get(socket);
      if (gone !== undefined) return fail(gone);
      waiting.set(socket, failRest);
    }
    if (request.destroyed) return cut();
    request.on("data", take);
    request.once("end", () => {
      close();
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

function tooLarge(limit: number): GatewayError {
  return bodyProblem(`must not be larger than ${limit / 1024} KiB (${limit} bytes)`);
}

function bodyProblem(message: string): GatewayError {
  return errors.validationFailed([{ path: "body", message }]);
}

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?(?:;\s*)?$/i;

/** No form of another site's page can send this type. */
function refuseOtherTypes(type: string | undefined): void {
  if (type === "application/json" || (type !== undefined && JSON_TYPE.test(type))) return;
  throw new GatewayError(
    "UNSUPPORTED_MEDIA_TYPE",
    "The body must be sent with Content-Type: application/json, in UTF-8",
  );
}

/** A body as JSON. One that may be absent comes without a type then: `fetch` sends none. */
export async function readJsonBody(
  type: string | undefined,
  read: () => Promise<string>,
  parse: BodyReader,
): Promise<unknown> {
  if (type !== undefined || !parse.mayBeAbsent) refuseOtherTypes(type);
  const text = await read();
  if (text.trim() !== "") refuseOtherTypes(type);
  return parse(text);
}
