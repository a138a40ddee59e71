import { useState } from "preact/hooks";
import type { ExitPlanTicket } from "../../../domain/exits/exit-plan.ts";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { type Typing, typingOf } from "../../parts/form.tsx";
import { FieldProblems } from "../../parts/problem.tsx";
import { contractOf } from "./contract-of.ts";
import { type LadderTerms, readLadder } from "./ladder.ts";
import { LadderFigures } from "./ladder-figures.tsx";
import { LadderPicture } from "./ladder-picture.tsx";
import type { LadderWords } from "./rungs.ts";
import { type FuturesRoot, useContracts } from "./use-contracts.ts";

/** With what a person looks at a plan; nothing of it is saved. */
interface LookTyped {
  readonly root: string;
  readonly side: LadderTerms["side"];
  readonly qty: string;
  readonly entry: string;
}

/** What it begins with. */
export interface LookStart {
  /** A root or any form of it; the first contract where it is none. */
  readonly symbol: string;
  readonly side: LadderTerms["side"];
  readonly qty: string;
}

const START: LookStart = { symbol: "ES", side: "buy", qty: "4" };

/** A plan as it would be carried out: where it leaves, what is held after, and what that is worth. */
export function PlanPreview({ plan, start = START }: { plan: ExitPlanTicket; start?: LookStart }) {
  const contracts = useContracts();
  const [changed, setTyped] = useState<Partial<LookTyped>>({});
  const { root = "" } = contractOf(start.symbol, contracts) ?? contracts[0] ?? {};
  const typed: LookTyped = { root, side: start.side, qty: start.qty, entry: "", ...changed };
  const looking = typingOf(typed, (change) => setTyped({ ...changed, ...change }));
  const terms = termsOf(typed, contracts);
  return (
    <div class="made">
      <LookFields {...looking} contracts={contracts} />
      <div aria-live="polite" class="made">
        {typeof terms === "string" ? (
          <p class="quiet">{terms}</p>
        ) : (
          <Drawn plan={plan} terms={terms} />
        )}
      </div>
    </div>
  );
}

function Drawn({ plan, terms }: { plan: ExitPlanTicket; terms: LadderWords }) {
  const reading = readLadder(plan, terms);
  if (reading.kind === "problems") {
    return (
      <div class="notice">
        <strong>It is drawn once this is right:</strong>
        <FieldProblems
          problems={reading.problems.map(({ path, message }) => ({
            path: path === "" ? "plan" : path,
            message,
          }))}
        />
      </div>
    );
  }
  const { ladder } = reading;
  return (
    <>
      {ladder.needsEntry && (
        <p class="notice">
          Some of it follows from the price at which the entry fills: write one above to see it.
        </p>
      )}
      <LadderPicture ladder={ladder} terms={terms} />
      <LadderFigures ladder={ladder} currency={terms.currency} />
    </>
  );
}

const SIDES = [
  ["buy", "Buy"],
  ["sell", "Sell"],
] as const;

function LookFields({ tie, contracts }: Typing<LookTyped> & { contracts: readonly FuturesRoot[] }) {
  return (
    <fieldset class="step">
      <legend class="unseen">Look at it with</legend>
      <TextField {...tie("qty")} label="Contracts" type="number" />
      <SelectField
        {...tie("root")}
        label="Of"
        options={contracts.map(({ root, name }) => [root, `${root}: ${name}`] as const)}
      />
      <SelectField {...tie("side")} label="Entry" options={SIDES} />
      <TextField {...tie("entry")} label="Entry price" type="decimal" />
    </fieldset>
  );
}

const MOST = 10_000;

/** Or why nothing can be drawn. */
function termsOf(typed: LookTyped, contracts: readonly FuturesRoot[]): LadderWords | string {
  const contract = contracts.find(({ root }) => root === typed.root);
  const qty = Number(typed.qty);
  if (contract === undefined) return "One moment …";
  if (!Number.isInteger(qty) || qty < 1 || qty > MOST) {
    return `Contracts: a whole number from 1 to ${MOST}.`;
  }
  const { currency, tickSize, tickValue } = contract;
  const entry = typed.entry.trim();
  return {
    side: typed.side,
    qty,
    tickSize: String(tickSize),
    tickValue: String(tickValue),
    currency,
    ...(entry !== "" && { entry }),
  };
}
