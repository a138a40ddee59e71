import { hash } from "node:crypto";
import type { Next } from "koa";
import type { Exchange } from "../answer.ts";
import { onlyReading } from "../server/only-reading.ts";
import type { StaticFiles } from "../server/static-files.ts";

const PAGE = "/runbook";
const FILE = "runbook.html";

const HEADERS = {
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/**
 * What to do about each alarm, to whoever looks: the page that Prometheus serves too, with the same
 * sections. Every other path is the next layer's.
 */
export function createServeRunbook(files: StaticFiles) {
  const headers = { ...HEADERS, "Content-Security-Policy": policyOf(files.text(FILE)) };
  return async function serveRunbook(ctx: Exchange, next: Next): Promise<void> {
    if (ctx.path !== PAGE || !files.has(FILE)) return await next();
    ctx.state.route = PAGE;
    if (onlyReading(ctx)) files.answer(ctx, FILE, headers);
  };
}

/** Its own style and nothing else. Prometheus serves no style sheet, so the page brings its own. */
function policyOf(page: string): string {
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
