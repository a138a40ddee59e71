import { errors } from "../../errors.ts";
import { type Exchange, send } from "../answer.ts";

/** What the router leaves behind when a path matched. */
interface Matched {
  readonly matched?: readonly { readonly methods: readonly string[] }[];
}

/** The end of the line: no route took the request. */
export async function refuseUnmatched(ctx: Exchange & Matched): Promise<void> {
  const methods = new Set(ctx.matched?.flatMap((layer) => layer.methods));
  if (methods.size === 0) throw errors.notFound("path");

  const allowed = [...methods, "OPTIONS"].join(", ");
  ctx.res.setHeader("Allow", allowed);
  if (ctx.method === "OPTIONS") return send(ctx, { status: 204 });
  throw errors.methodNotAllowed(allowed);
}
