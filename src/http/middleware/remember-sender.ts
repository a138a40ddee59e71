import type { Admissions } from "../../trading/people/admissions.ts";
import { isAllowedSender } from "../../trading/people/networks.ts";
import type { AdmittedWith } from "../../trading/orders/ports.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import type { Exchange } from "../answer.ts";
import { clientAddress } from "../server/client-address.ts";
import { identify, SECRET, showQuota } from "./admission-answers.ts";
import type { AdmitPersonDeps } from "./admit-session.ts";

/** A sender whose webhook is remembered; the step that accepts its alert admits it. */
export interface RememberedSender {
  readonly webhook: Webhook;
  readonly receivedAt: number;
  readonly sender: string | undefined;
  readonly admission: AdmittedWith;
}

/** Undefined where the sender must be admitted in a step of its own. Asks nobody. */
export function rememberSender(
  ctx: Exchange,
  token: string,
  {
    admissions,
    trustedProxies,
  }: Pick<AdmitPersonDeps, "trustedProxies"> & {
    readonly admissions: Pick<Admissions, "remembered">;
  },
): RememberedSender | undefined {
  const known = SECRET.test(token) ? admissions.remembered?.(token) : undefined;
  if (known === undefined) return undefined;
  const { webhook, receivedAt, hash, version, byDefault } = known;
  const { socket, headers } = ctx.req;
  const sender = clientAddress(socket.remoteAddress, headers["x-forwarded-for"], trustedProxies);
  if (!isAllowedSender(sender, webhook.options.allowedSenders)) return undefined;
  identify(ctx, webhook);
  ctx.state.accountId = webhook.accountId;
  const told: AdmittedWith["told"] = (quota) => showQuota(ctx, quota);
  return { webhook, receivedAt, sender, admission: { hash, version, byDefault, told } };
}

/** Nobody is known by a token that is not admitted. */
export function forgetSender({ state }: Exchange): void {
  state.userId = undefined;
  state.credentialId = undefined;
  state.accountId = undefined;
}
