import type { Exchange } from "../answer.ts";
import type { AdmitPersonDeps } from "../middleware/admit-session.ts";
import type { Validators } from "../requests/validate.ts";

export interface ServeDeps extends AdmitPersonDeps {
  readonly validators: Validators;
}

/** What the router adds to an exchange. */
export type Routed = Exchange & { readonly params: Readonly<Record<string, string>> };

export type Serve = (ctx: Routed) => Promise<void>;
