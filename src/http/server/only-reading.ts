import { errors } from "../../errors.ts";
import { type Exchange, send } from "../answer.ts";

const ALLOWED = "GET, HEAD, OPTIONS";

/** Whether a page is read. Other methods are answered or refused here, as the router does it. */
export function onlyReading(ctx: Exchange): boolean {
  const { method } = ctx;
  if (method === "GET" || method === "HEAD") return true;
  ctx.res.setHeader("Allow", ALLOWED);
  if (method !== "OPTIONS") throw errors.methodNotAllowed(ALLOWED);
  send(ctx, { status: 204 });
  return false;
}
