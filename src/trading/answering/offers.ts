import { askInParts } from "../../domain/ask-in-parts.ts";
import { type ContractCode, symbolOfCode } from "../../domain/contracts/contract.ts";
import { heldText } from "../../domain/position.ts";
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
import { type AccountLabels, labelsOf } from "./account-labels.ts";
import type { Act, Affected, AnswerStore, BotId, Offer, Reply } from "./ports.ts";
import { fitting, holdingText, lengthOf, LONGEST_LIST } from "./words.ts";

interface OfferDeps {
  readonly gateway: Pick<Gateway, "readStanding" | "readPositions" | "readWorkingOrders">;
  readonly describe: DescribeContract;
  readonly views: Pick<AccountViews, "positions">;
  readonly pause: (ms: number) => Promise<void>;
  readonly observer: { readonly failed: (error: unknown) => void };
}

export interface MakeOfferDeps extends OfferDeps {
  readonly accounts: Pick<AccountDirectory, "of">;
  readonly store: Pick<AnswerStore, "offer">;
  /** Random, at most 64 bytes. */
  readonly newNonce: () => string;
}

const OFFER_MS = 30_000;

/** What a button would do, told before it is there. Without `seen` there is nothing to do. */
interface Preview {
  readonly reply: Reply;
  readonly seen?: readonly string[];
}

/** By one button. More of them are flattened one by one, or in the console. */
export const MOST_ACCOUNTS = 50;
/** How long a preview waits for a broker. */
const LOOK_MS = 1_000;
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
  const read = await askInParts(
    of.filter((id) => isOwn.has(id)),
    async (accountId) => {
      const { value } = await views.positions(accountId);
      return value.map(({ contract, netQty }) => ({ accountId, contract, netQty }));
    },
  );
  return read.flat();
}

/** What is held in those accounts, and what stands for it by the broker's newest word. */
async function readHeld(
  { gateway }: Pick<OfferDeps, "gateway">,
  caller: Caller,
  of: Affected,
): Promise<readonly Holding[]> {
  if (of === "all") return (await gateway.readStanding(caller)).holdings;
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
  asked: { readonly act: Act; readonly name: string; readonly own: readonly StoredAccount[] },
): Promise<Preview> {
  return asked.act.kind === "stop"
    ? { reply: await previewStop(deps, caller, asked), seen: [] }
    : await previewFlatten(deps, caller, asked);
}

type Previewed = Parameters<typeof preview>[2];

/** Whatever cannot be seen: the switch is offered all the same. */
async function previewStop(
  deps: OfferDeps,
  caller: Caller,
  { act: { of }, name, own }: Previewed,
): Promise<Reply> {
  const nameOf = labelsOf(own);
  const [held, working] = await Promise.all([
    within(deps, readHeld(deps, caller, of)),
    workingLines(deps, caller, idsOf(of, own), nameOf),
  ]);
  const shown = held?.map((one) =>
    holdingText(one, deps.describe, { now: caller.receivedAt, nameOf }),
  );
  const count =
    shown === undefined
      ? "What is held cannot be shown now"
      : shown.length === 0
        ? NOTHING
        : `${countOf(shown.length, "position")} held:`;
  const first = [STOPS, "", ...working, count];
  return { title: `Switch the kill switch on: ${name}?`, lines: listed(first, shown ?? []) };
}

async function previewFlatten(
  deps: OfferDeps,
  caller: Caller,
  { act: { of }, name, own }: Previewed,
): Promise<Preview> {
  const title = `Flatten ${name}?`;
  const nameOf = labelsOf(own);
  const full = await within(deps, readHeld(deps, caller, of));
  const held = full?.map(toHeldNow) ?? (await readHeldNow(deps.views, idsOf(of, own), own));
  const shown =
    full?.map((one) => holdingText(one, deps.describe, { now: caller.receivedAt, nameOf })) ??
    held.map((one) => `${nameOf(one.accountId)}: ${heldText(one.netQty)} ${symbolOf(one)}`);
  const holding = [...new Set(held.map(({ accountId }) => accountId))];
  const isDown = full?.length !== 0 && full?.every(({ live }) => !live) === true;
  const why = whyNot(holding, isDown);
  const count = `${countOf(held.length, "position")} in ${countOf(holding.length, "account")}:`;
  if (why !== undefined) {
    const lines = listed(held.length === 0 ? [why] : [why, "", count], shown);
    return { reply: { title, lines } };
  }
  const unseen =
    full === undefined ? ["Whether stop-losses stand cannot be shown now: the broker is slow"] : [];
  const working = await workingLines(deps, caller, holding, nameOf);
  const first = [FLATTENS, "", ...unseen, ...working, count];
  return { reply: { title, lines: listed(first, shown) }, seen: fingerprint(held) };
}

/** What it is about stands whole; only the list is cut. */
const listed = (first: readonly string[], list: readonly string[]): readonly string[] => [
  ...first,
  ...fitting(
    list,
    Math.max(0, LONGEST_LIST - lengthOf(first)),
    (count) => `… and ${countOf(count, "more position")}: what is said above is true of them too`,
  ),
];

const countOf = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;
const symbolOf = ({ contract }: HeldNow): string => symbolOfCode(contract);

/** Undefined where it fails, or takes longer than a person who wants to act should wait. */
async function within<Value>(
  { pause, observer }: Pick<OfferDeps, "pause" | "observer">,
  reading: Promise<Value>,
): Promise<Value | undefined> {
  const read = reading.catch((error: unknown) => {
    if (!(error instanceof GatewayError)) observer.failed(error);
    return undefined;
  });
  return await Promise.race([read, pause(LOOK_MS).then(() => undefined)]);
}

const toHeldNow = ({ account, position: { contract, netQty } }: Holding): HeldNow => ({
  accountId: account.accountId,
  contract,
  netQty,
});

const NOTHING = "Nothing is held, as far as is known";
const STOPS =
  "Entries that work are cancelled and new ones refused. Exits pass, and positions stay";
const FLATTENS =
  "Positions are closed at the market, and their take-profits and stop-losses cancelled. Entries that work stay: /kill cancels them";

function whyNot(holding: readonly AccountId[], isDown: boolean): string | undefined {
  if (holding.length === 0) return `${NOTHING}. There is nothing to flatten`;
  if (isDown) return "Its connection is not up: nothing can be sent now";
  if (holding.length <= MOST_ACCOUNTS) return undefined;
  return `More than ${MOST_ACCOUNTS} accounts hold something: name one, or use the console`;
}

export const idsOf = (of: Affected, own: readonly StoredAccount[]): readonly AccountId[] =>
  of === "all" ? own.map(({ accountId }) => accountId) : of;

async function workingLines(
  deps: OfferDeps,
  caller: Caller,
  accounts: readonly AccountId[],
  nameOf: AccountLabels,
): Promise<readonly string[]> {
  const some = accounts.slice(0, MOST_LOOKED_INTO);
  const lines = await Promise.all(
    some.map(async (id) => {
      const name = nameOf(id);
      const working = await within(deps, deps.gateway.readWorkingOrders(caller, id));
      if (working === undefined) return [`${name}: its working orders cannot be seen now`];
      return workingText(name, working);
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
