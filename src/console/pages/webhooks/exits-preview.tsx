import type { ComponentChildren } from "preact";
import { Sheet } from "../../parts/page.tsx";
import { type LookStart, PlanPreview } from "../exit-plans/plan-preview.tsx";
import { usePlans } from "../exit-plans/use-plans.ts";
import { exitsOf } from "./draft-exits.ts";
import type { Draft } from "./message-draft.ts";
import type { Webhook } from "./types.ts";

/** What an entry of the message may lose and win, by the exits that it would have. */
export function ExitsPreview({ draft, webhook }: { draft: Draft; webhook: Webhook }) {
  const plans = usePlans();
  if (plans === undefined) return null;
  const exits = exitsOf(draft, plans, webhook.exitPlan);
  switch (exits.kind) {
    case "none":
      return null;
    case "later":
      return (
        <Exits>
          <p>Its exits are placeholders: what they come to is known once the alert fires.</p>
        </Exits>
      );
    case "gone":
      return (
        <Exits>
          <p class="notice watch">
            There is no exit plan “{exits.name}” any more: entries of this message are refused.
          </p>
        </Exits>
      );
    case "plan": {
      const start = lookOf(draft, webhook);
      return (
        <Exits>
          {exits.name !== undefined && (
            <p>
              They follow the exit plan <a href={planLink(exits.name)}>{exits.name}</a>.
            </p>
          )}
          <PlanPreview key={JSON.stringify(start)} plan={exits.plan} start={start} />
        </Exits>
      );
    }
  }
}

const planLink = (name: string): string => `#/exit-plans/${encodeURIComponent(name)}`;

const Exits = ({ children }: { children: ComponentChildren }) => (
  <Sheet title="Exits, and the money at risk">
    <div class="body plan">{children}</div>
  </Sheet>
);

/** As much as the message says of what is traded. */
function lookOf(draft: Draft, { allowedSymbols, defaultQty }: Webhook): LookStart {
  const qty = draft.qty.trim();
  const isCount = /^\d+$/.test(qty);
  return {
    symbol: draft.symbol.trim() || (allowedSymbols?.[0] ?? ""),
    side: draft.action === "sell" ? "sell" : "buy",
    qty: isCount ? qty : String(defaultQty ?? 1),
  };
}
