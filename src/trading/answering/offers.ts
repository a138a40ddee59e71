import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import { isClosed, isOpaque, type WorkingOrder } from "../../domain/order.ts";
import { GatewayError } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { Gateway } from "../gateway.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import type { Caller } from "../people/caller.ts";
import type { Holding } from "../reads/read-holdings.ts";
import type { AccountViews } from "../reads/ports.ts";
import type { Act, Affected, AnswerStore, BotId, Offer, Reply } from "./ports.ts";
import { holdingText, someOf } from "./words.ts";

interface OfferDeps {
  readonly gateway: Pick<Gateway, "readOverview" | "readPositions" | "readWorkingOrders">;
  readonly describe: DescribeContract;
  readonly views: Pick<AccountViews, "positions">;
}

export interface MakeOfferDeps extends OfferDeps {
  readonly accounts: Pick<AccountDirectory, "of">;
  readonly store: Pick<AnswerStore, "offer">;
  /** Random, at most 64 bytes. */
  readonly newNonce: () => string;
}

const OFFER_MS = 30_000;
const READ_AT_ONCE = 200;

/** What a button would do, told before it is there. Without `seen` there is nothing to do. */
interface Preview {
  readonly reply: Reply;
  readonly seen?: readonly string[];
}

/** By one button. More of them are flattened one by one, or in the console. */
export const MOST_ACCOUNTS = 50;
const MOST_LINES = 30;
/** Each asks its broker. */
const MOST_LOOKED_INTO = 10;

/** One position, as it decides whether what is held is still what was seen. */
export interface HeldNow {
  readonly accountId: AccountId;
  readonly contract: ContractCode;
  readonly netQty: number;
}

export const fingerprint = (held: readonly HeldNow[]): readonly string[] =>
  held.map(({ accountId, contract, netQty }) => [accountId, contract, netQty].join(" ")).sort();

/** What the store knows to be held in those of one's own accounts. No broker is asked. */
export async function readHeldNow(
  views: Pick<AccountViews, "positions">,
  of: readonly AccountId[],
  own: readonly StoredAccount[],
): Promise<readonly HeldNow[]> {
  const isOwn = new Set(own.map(({ accountId }) => accountId));
  const held: HeldNow[] = [];
  for (let from = 0; from < of.length; from += READ_AT_ONCE) {
    const some = of.slice(from, from + READ_AT_ONCE).filter((id) => isOwn.has(id));
    const read = await Promise.all(some.map(async (id) => (await views.positions(id)).value));
    held.push(
      ...some.flatMap((accountId, n) =>
        (read[n] ?? []).map(({ contract, netQty }) => ({ accountId, contract, netQty })),
      ),
    );
  }
  return held;
}

/** What is held in those accounts, and what stands for it by the broker's newest word. */
async function readHeld(
  { gateway }: Pick<OfferDeps, "gateway">,
  caller: Caller,
  of: Affected,
): Promise<readonly Holding[]> {
  if (of === "all") return (await gateway.readOverview(caller)).holdings;
  const read = await Promise.all(of.map(async (id) => await gateway.readPositions(caller, id)));
  return read.flatMap(({ value }) => value);
}

/** Offers it by a button of its own, where there is something to do. Throws what reading throws. */
export async function makeOffer(
  deps: MakeOfferDeps,
  bot: BotId,
  caller: Caller,
  offer: Omit<Offer, "seen">,
  name: string,
): Promise<Reply> {
  const own = deps.accounts.of(caller.userId);
  const { reply, seen } = await preview(deps, caller, { act: offer.act, name, own });
  if (seen === undefined) return reply;
  const nonce = deps.newNonce();
  await deps.store.offer(bot, nonce, { ...offer, seen }, OFFER_MS);
  const text = offer.act.kind === "flatten" ? "Flatten now" : "Switch it on";
  return { ...reply, button: { text, data: nonce } };
}

/** What is held and works now, and what the button would do to it. */
async function preview(
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
  return {
    reply: { title, lines: [...shown, "", FLATTENS] },
    seen: fingerprint(held.map(toHeldNow)),
  };
}

const toHeldNow = ({ account, position: { contract, netQty } }: Holding): HeldNow => ({
  accountId: account.accountId,
  contract,
  netQty,
});

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

export const idsOf = (of: Affected, own: readonly StoredAccount[]): readonly AccountId[] =>
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
