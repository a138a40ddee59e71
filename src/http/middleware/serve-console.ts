import type { Next } from "koa";
import { errors } from "../../errors.ts";
import { type Exchange, send } from "../answer.ts";
import { onlyReading } from "../server/only-reading.ts";
import { contentPolicyOf, type StaticFiles } from "../server/static-files.ts";

const CONSOLE = "/console/";
const INDEX = "index.html";
const ROUTE = "/console/{file}";

/** Nothing but the console's own files, no frame around them, and no text that becomes code. */
const HEADERS = {
  "Content-Security-Policy": contentPolicyOf(
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ),
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "publickey-credentials-get=(self), publickey-credentials-create=(self)",
} as const;

const NOT_BUILT = "The console is not built. Run: npm run build\n";

/** The console's pages, to whoever looks; every other path is the next layer's. */
export function createServeConsole(files: StaticFiles) {
  return async function serveConsole(ctx: Exchange, next: Next): Promise<void> {
    const { path: asked } = ctx;
    const isAbove = asked === "/" || asked === "/console";
    if (!isAbove && !asked.startsWith(CONSOLE)) return await next();
    ctx.state.route = isAbove ? asked : ROUTE;
    if (!onlyReading(ctx)) return;
    if (isAbove) return ctx.redirect(CONSOLE);
    if (!files.has(INDEX)) {
      return send(ctx, { status: 503, body: NOT_BUILT, contentType: "text/plain; charset=utf-8" });
    }
    const name = asked.slice(CONSOLE.length);
    if (!files.answer(ctx, name === "" ? INDEX : name, HEADERS)) throw errors.notFound("file");
  };
}
