import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Exchange } from "../answer.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  // For people to read and take, not for a browser to run.
  ".ts": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** Compressed copies that the build puts beside a file, by what HTTP calls them; the best first. */
const COPIES = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** The build names these by what is in them, so that they never change. */
const ASSETS = "assets/";

interface StaticFile {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Of the content; each encoding adds its own name. */
  readonly tag: string;
  readonly plain: Buffer;
  readonly copies: ReadonlyMap<string, Buffer>;
}

type Headers = Readonly<Record<string, string>>;

/**
 * The files of one folder, read once and answered from memory: what is not among them when it is
 * read is not there, so no path of a request ever reaches the file system.
 */
export class StaticFiles {
  readonly #files: ReadonlyMap<string, StaticFile>;

  private constructor(files: ReadonlyMap<string, StaticFile>) {
    this.#files = files;
  }

  /** A folder that is not there has no files. */
  static read(folder: string): StaticFiles {
    if (!existsSync(folder)) return new StaticFiles(new Map());
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => TYPES[path.extname(name)] !== undefined)
      .map((name) => [name.split(path.sep).join("/"), readFile(folder, name)] as const);
    return new StaticFiles(new Map(names));
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** What is in a file of text; empty where there is none. */
  text(name: string): string {
    return this.#files.get(name)?.plain.toString("utf8") ?? "";
  }

  /** Answers a GET or HEAD with the file, if there is one: `index.html`, `assets/index-4f.js`. */
  answer(ctx: Exchange, name: string, headers: Headers = {}): boolean {
    const file = this.#files.get(name);
    if (file === undefined || (ctx.method !== "GET" && ctx.method !== "HEAD")) return false;
    const { res } = ctx;
    const encoding = ctx.acceptsEncodings([...file.copies.keys(), "identity"]) || "identity";
    const body = file.copies.get(encoding) ?? file.plain;
    for (const [header, value] of Object.entries(headers)) res.setHeader(header, value);
    ctx.vary("Accept-Encoding");
    res.setHeader("Cache-Control", file.cacheControl);
    res.setHeader("ETag", `"${file.tag}-${encoding}"`);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      ctx.body = null;
      return true;
    }
    res.setHeader("Content-Type", file.contentType);
    if (encoding !== "identity") res.setHeader("Content-Encoding", encoding);
    ctx.body = body;
    return true;
  }
}

function readFile(folder: string, name: string): StaticFile {
  const file = path.join(folder, name);
  const plain = readFileSync(file);
  const isNamedByContent = name.split(path.sep).join("/").startsWith(ASSETS);
  const copies = COPIES.filter(([, ending]) => existsSync(file + ending)).map(
    ([encoding, ending]) => [encoding, readFileSync(file + ending)] as const,
  );
  return {
    contentType: TYPES[path.extname(name)] ?? "application/octet-stream",
    cacheControl: isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache",
    tag: createHash("sha256").update(plain).digest("base64url").slice(0, 22),
    plain,
    copies: new Map(copies),
  };
}

const OWN_FILES_ALONE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** A page's Content-Security-Policy: the gateway's own files alone, no frame around it, and `more`. */
export const contentPolicyOf = (...more: readonly string[]): string =>
  [...OWN_FILES_ALONE, ...more].join("; ");
