import type { AccountId } from "../../domain/ids.ts";
import { isClosed, isOpaque, type WorkingOrder } from "../../domain/order.ts";
import { GatewayError } from "../../errors.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { Gateway } from "../gateway.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import type { Caller } from "../people/caller.ts";
import type { Holding } from "../reads/read-holdings.ts";
import type { Act, Affected, Reply } from "./ports.ts";
import { holdingText, someOf } from "./words.ts";

export interface OfferDeps {
  readonly gateway: Pick<Gateway, "readOverview" | "readPositions" | "readWorkingOrders">;
  readonly describe: DescribeContract;
}

/** What a button would do, told before it is there. Without `seen` there is nothing to do. */
export interface Preview {
  readonly reply: Reply;
  readonly seen?: readonly string[];
}

/** By one button. More of them are flattened one by one, or in the console. */
export const MOST_ACCOUNTS = 50;
const MOST_LINES = 30;
/** Each asks its broker. */
const MOST_LOOKED_INTO = 10;

/** What is held, as it decides whether a position is still the one that was seen. */
export const fingerprint = (holdings: readonly Holding[]): readonly string[] =>
  holdings
    .map(({ account, position: { contract, netQty } }) =>
      [account.accountId, contract, netQty].join(" "),
    )
    .sort();

/** What is held in those accounts by the broker's newest word. */
export async function readHeld(
  { gateway }: Pick<OfferDeps, "gateway">,
  caller: Caller,
  of: Affected,
): Promise<readonly Holding[]> {
  if (of === "all") return (await gateway.readOverview(caller)).holdings;
  const read = await Promise.all(of.map(async (id) => await gateway.readPositions(caller, id)));
  return read.flatMap(({ value }) => value);
}

/** What is held and works now, and what the button would do to it. */
export async function preview(
  deps: OfferDeps,
  caller: Caller,
  {
    act,
    name,
    own,
  }: { readonly act: Act; readonly name: string; readonly own: readonly StoredAccount[] },
): Promise<Preview> {
  const held = await readHeld(deps, caller, act.of);
  const lines = held.map((one) => holdingText(one, deps.describe, caller.receivedAt));
  const holding = [...new Set(held.map(({ account }) => account.accountId))];
  const some = act.kind === "flatten" ? holding : idsOf(act.of, own);
  const shown = [
    ...(lines.length === 0 ? ["Nothing is held, as far as is known"] : someOf(lines, MOST_LINES)),
    ...(await workingLines(deps, caller, some, own)),
  ];
  if (act.kind === "stop") {
    const title = `Switch the kill switch on: ${name}?`;
    return { reply: { title, lines: [...shown, "", STOPS] }, seen: [] };
  }
  const title = `Flatten ${name}?`;
  const why = whyNot(held, holding);
  if (why !== undefined) return { reply: { title, lines: [...shown, "", why] } };
  return { reply: { title, lines: [...shown, "", FLATTENS] }, seen: fingerprint(held) };
}

const STOPS =
  "Entries that work are cancelled and new ones refused. Exits pass, and positions stay";
const FLATTENS =
  "Positions are closed at the market, and their take-profits and stop-losses cancelled. Entries that work stay: /kill cancels them";

function whyNot(held: readonly Holding[], holding: readonly AccountId[]): string | undefined {
  if (held.length === 0) return "There is nothing to flatten";
  if (!held.some(({ live }) => live)) return "Its connection is not up: nothing can be sent now";
  if (holding.length <= MOST_ACCOUNTS) return undefined;
  return `More than ${MOST_ACCOUNTS} accounts hold something: name one, or use the console`;
}

const idsOf = (of: Affected, own: readonly StoredAccount[]): readonly AccountId[] =>
  of === "all" ? own.map(({ accountId }) => accountId) : of;

async function workingLines(
  { gateway }: Pick<OfferDeps, "gateway">,
  caller: Caller,
  accounts: readonly AccountId[],
  own: readonly StoredAccount[],
): Promise<readonly string[]> {
  const some = accounts.slice(0, MOST_LOOKED_INTO);
  const lines = await Promise.all(
    some.map(async (id) => {
      const name = own.find(({ accountId }) => accountId === id)?.name ?? id;
      try {
        return workingText(name, await gateway.readWorkingOrders(caller, id));
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        return [`${name}: its working orders cannot be seen now`];
      }
    }),
  );
  const left = accounts.length - some.length;
  return [...lines.flat(), ...(left > 0 ? [`Orders of ${left} more accounts are not shown`] : [])];
}

function workingText(name: string, orders: readonly WorkingOrder[]): readonly string[] {
  const working = orders.filter((one) => isOpaque(one) || !isClosed(one.ordStatus));
  if (working.length === 0) return [];
  const exits = working.filter((one) => !isOpaque(one) && one.role !== "ORDER").length;
  return [`${name}: ${working.length} orders work, ${exits} of them take-profits or stop-losses`];
}
