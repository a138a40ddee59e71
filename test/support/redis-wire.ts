const CRLF = "\r\n";

/** One command as a client sent it. */
export interface SentCommand {
  /** Its words; each holds bytes as they are, one a character. */
  readonly words: readonly string[];
  readonly bytes: Buffer;
}

/** Cuts what a client sends into its commands; a command that has only begun is kept for later. */
export class CommandReader {
  #rest = Buffer.alloc(0);

  read(chunk: Buffer): SentCommand[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const commands: SentCommand[] = [];
    for (;;) {
      const end = endOf(this.#rest, 0);
      if (end === undefined) return commands;
      const bytes = this.#rest.subarray(0, end);
      commands.push({ words: wordsOf(bytes), bytes });
      this.#rest = this.#rest.subarray(end);
    }
  }
}

/** Counts the replies in what a server sends; messages to subscribers are none. */
export class ReplyReader {
  #rest = Buffer.alloc(0);

  count(chunk: Buffer): number {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    let replies = 0;
    for (;;) {
      const end = endOf(this.#rest, 0);
      if (end === undefined) return replies;
      if (this.#rest[0] !== ">".charCodeAt(0)) replies += 1;
      this.#rest = this.#rest.subarray(end);
    }
  }
}

function wordsOf(command: Buffer): string[] {
  const words: string[] = [];
  let at = command.indexOf(CRLF) + CRLF.length;
  while (at < command.length) {
    const from = command.indexOf(CRLF, at) + CRLF.length;
    const length = Number(command.toString("latin1", at + 1, from));
    words.push(command.toString("latin1", from, from + length));
    at = from + length + CRLF.length;
  }
  return words;
}

/** Where the value of RESP3 that begins at `from` ends; undefined when it has not all come yet. */
function endOf(bytes: Buffer, from: number): number | undefined {
  const line = bytes.indexOf(CRLF, from);
  if (line === -1) return undefined;
  const next = line + CRLF.length;
  const kind = String.fromCharCode(bytes[from] ?? 0);
  const size = Number(bytes.toString("latin1", from + 1, line));
  if ("$!=".includes(kind)) {
    const end = size < 0 ? next : next + size + CRLF.length;
    return end <= bytes.length ? end : undefined;
  }
  if ("*>~".includes(kind)) return endOfSome(bytes, next, size);
  if (kind === "%") return endOfSome(bytes, next, size * 2);
  return next;
}

function endOfSome(bytes: Buffer, from: number, count: number): number | undefined {
  let at: number | undefined = from;
  for (let n = 0; n < count && at !== undefined; n += 1) at = endOf(bytes, at);
  return at;
}
