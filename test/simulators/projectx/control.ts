import type { TradeEntity } from "./entities.ts";
import { parseTicks, ticks } from "../../../src/domain/contracts/price.ts";
import type { AccountView } from "../exchange/desk.ts";
import type { EventLog } from "../exchange/event-log.ts";
import type { WireLog } from "../wire-log.ts";
import type { ApiDeps } from "./api.ts";
import type { Listed } from "./contracts.ts";
import type { Hubs } from "./hubs.ts";
import type { KnobAnswer } from "../broker-process.ts";
import { checkKnob } from "./knob-forms.ts";
import type { Knob } from "./knobs.ts";
import { Body } from "./request.ts";
import type { Trading } from "./trading.ts";
import { type Account, toAccountEntity } from "./users.ts";

export interface ControlDeps extends Omit<ApiDeps, "cutHubs" | "onLogin" | "onLogout"> {
  readonly log: EventLog;
  readonly wire: WireLog;
  readonly trading: Trading;
  readonly hubs: Hubs;
}

const USUAL_QTY = 1_000;

type Turn<Name extends Knob["knob"]> = (
  knob: Extract<Knob, { readonly knob: Name }>,
  control: Control,
) => KnobAnswer | void;

/** The hand and the eye of a test. */
export class Control {
  readonly deps: ControlDeps;

  constructor(deps: ControlDeps) {
    this.deps = deps;
  }

  /** Throws in words what cannot be turned. */
  turn(knob: Knob): KnobAnswer {
    checkKnob(knob);
    const turn = TURNS[knob.knob] as Turn<Knob["knob"]>;
    return turn(knob as never, this) ?? { ok: true };
  }

  /** In points, by the broker's name of the contract: bid and ask, or one price for both. */
  setPrice(price: Readonly<Record<string, unknown>>): KnobAnswer {
    const body = new Body(price);
    const listed = this.listed(body.text("symbol"));
    const at = (name: string) => {
      const value = body.optionalNumber(name) ?? body.optionalNumber("price");
      const price = value === undefined ? undefined : parseTicks(String(value), listed.tickSize);
      if (price === undefined) throw new Error(`${name} is no price on a tick`);
      return price;
    };
    const bidQty = body.optionalNumber("bidQty") ?? USUAL_QTY;
    const askQty = body.optionalNumber("askQty") ?? USUAL_QTY;
    this.quote(listed, { bid: at("bid"), ask: at("ask"), bidQty, askQty });
    return { ok: true };
  }

  /** The fill that a trade was for its position. */
  made({
    contractId,
    side,
    size,
    price,
  }: Pick<TradeEntity, "contractId" | "side" | "size" | "price">) {
    const { code, tickSize } = this.listed(contractId);
    const lastPx = parseTicks(String(price), tickSize) ?? ticks(0);
    return { contract: code, side: side === 0 ? "BUY" : "SELL", lastQty: size, lastPx } as const;
  }

  quote(listed: Listed, quote: { bid: number; ask: number; bidQty: number; askQty: number }): void {
    const { trading, hubs, bars } = this.deps;
    const { bid, ask, bidQty, askQty } = quote;
    trading.setQuote(listed.code, { bid: ticks(bid), ask: ticks(ask), bidQty, askQty });
    bars.note(listed.code, bid);
    hubs.market.quoted(listed.code);
  }

  listed(name: string): Listed {
    const listed = this.deps.contracts.find(name);
    if (listed === undefined) throw new Error(`${name} does not trade here`);
    return listed;
  }

  account(called: string | number): Account {
    const account = this.deps.users.find(called);
    if (account === undefined) throw new Error(`There is no account ${called}`);
    return account;
  }

  log(from: number, limit: number): readonly object[] {
    return this.deps.log.page(from, limit);
  }

  wire(from: number, limit: number): readonly object[] {
    return this.deps.wire.page(from, limit);
  }

  /** What is held, works and was filled, by the broker's numbers of accounts. */
  state(): {
    readonly accounts: Readonly<Record<string, AccountView>>;
  } {
    const { users, trading } = this.deps;
    const views = users
      .all()
      .map((account) => [
        String(account.id),
        { isActive: account.canTrade, ...trading.view(account.id) },
      ]);
    return { accounts: Object.fromEntries(views) };
  }
}

const TURNS: { readonly [Name in Knob["knob"]]: Turn<Name> } = {
  set: ({ knob: _knob, user, ...change }, { deps }) => deps.settings.set(change, user),
  reset: ({ user }, { deps }) => {
    deps.settings.reset(user);
    deps.faults.forget(user);
    deps.limits.forget();
  },
  fault: ({ knob: _knob, ...fault }, { deps }) => deps.faults.plan(fault),
  faultsLeft: ({ user }, { deps }) => ({ left: deps.faults.left(user) }),
  forgetFaults: ({ user }, { deps }) => deps.faults.forget(user),
  heldAnswers: ({ user }, { deps }) => ({ held: deps.faults.held(user) }),
  letGo: ({ user }, { deps }) => deps.faults.letGo(user),
  loseNextAnswer: ({ user, isCarriedOut }, { deps }) =>
    deps.faults.plan({
      fault: { kind: "drop", isCarriedOut, cutsHubs: true },
      ...(user !== undefined && { user }),
    }),
  user: ({ knob: _knob, ...user }, { deps }) => ({
    accounts: deps.users.make(user).accounts.map(toAccountEntity),
  }),
  takesAnyone: ({ isOn }, { deps }) => void (deps.users.takesAnyone = isOn),
  quote: ({ contract, bid, ask, bidQty = USUAL_QTY, askQty = USUAL_QTY }, control) =>
    control.quote(control.listed(contract), { bid, ask, bidQty, askQty }),
  account: (knob, control) => {
    const { account: called, canTrade, isVisible, simulated, isListed, isTold = true } = knob;
    const account = control.account(called);
    if (isListed !== undefined) account.isListed = isListed;
    if (canTrade !== undefined) account.canTrade = canTrade;
    if (isVisible !== undefined) account.isVisible = isVisible;
    if (simulated !== undefined) account.simulated = simulated;
    if (isTold) control.deps.journal.tellAccount(account);
  },
  balance: ({ account: called, by, isTold = true }, control) => {
    const account = control.account(called);
    account.cents += Math.round(by * 100);
    if (isTold) control.deps.journal.tellAccount(account);
  },
  contract: ({ contract, isActive, isListed }, control) => {
    const { code } = control.listed(contract);
    const { contracts } = control.deps;
    if (isActive !== undefined) contracts.setActive(code, isActive);
    if (isListed !== undefined) contracts.setListed(code, isListed);
  },
  endContract: ({ contract }, control) => {
    const { code } = control.listed(contract);
    control.deps.contracts.setActive(code, false);
    control.deps.trading.endContract(code);
  },
  liquidate: ({ account: called, locks = false }, control) => {
    const account = control.account(called);
    control.deps.trading.liquidate(account.id);
    if (!locks) return;
    account.canTrade = false;
    control.deps.journal.tellAccount(account);
  },
  placeOrder: ({ account: called, order }, control) => {
    const { desk, settings } = control.deps;
    const account = control.account(called);
    const body = new Body({ accountId: account.id, ...order });
    return { ...desk.place({ account, body, settings: settings.of(account.user) }) };
  },
  cancelOrder: ({ account: called, orderId }, control) => {
    const { desk, settings } = control.deps;
    const account = control.account(called);
    const own = { ...settings.of(account.user), cancels: "all" } as const;
    return { ...desk.cancel({ account, body: new Body({ orderId }), settings: own }) };
  },
  movePosition: ({ account, contract, by, at }, control) => {
    const { code } = control.listed(contract);
    // As if a trade on the other side had never been.
    const side = by > 0 ? "SELL" : "BUY";
    const without = { contract: code, side, lastQty: Math.abs(by), lastPx: ticks(at) } as const;
    control.deps.trading.takeBack(control.account(account).id, without);
  },
  voidTrade: ({ trade }, control) => {
    const voided = control.deps.journal.void(trade);
    control.deps.trading.takeBack(voided.accountId, control.made(voided));
    return { ...voided };
  },
  correctTrade: ({ trade, size, price }, control) => {
    const { journal, trading } = control.deps;
    const before = journal.trade(trade);
    const corrected = journal.correct(trade, {
      ...(size !== undefined && { size }),
      ...(price !== undefined && { price }),
    });
    if (before !== undefined) trading.takeBack(before.accountId, control.made(before));
    trading.takeBack(
      corrected.accountId,
      control.made({ ...corrected, side: corrected.side === 0 ? 1 : 0 }),
    );
    return { ...corrected };
  },
  advance: ({ ms }, { deps }) => {
    deps.clock.advance(ms);
    deps.trading.expireOrders();
  },
  expireTokens: ({ user }, { deps }) => deps.users.expire(user),
  useQuota: ({ user, requests }, { deps }) => deps.limits.use(`all ${user}`, requests),
  logOut: ({ user }, { deps }) => deps.hubs.logOut(user),
  loseEvents: ({ user, count, kind }, { deps }) =>
    deps.hubs.user.queueOf(user).loseNext(count, kind),
  closeHubs: ({ knob: _knob, gapMs, error, allowReconnect, ...of }, { deps: { hubs } }) => {
    if (error === undefined && allowReconnect === undefined) return hubs.cut(of, gapMs);
    return hubs.close({ error, allowReconnect }, of, gapMs);
  },
  halfOpen: ({ knob: _knob, ...of }, { deps }) => {
    for (const each of deps.hubs.of(of)) each.fallSilent();
  },
  hubText: ({ text, ...of }, { deps }) => {
    for (const each of deps.hubs.of(of)) each.tellRaw(text);
  },
  hubEvent: ({ target, payload, ...of }, { deps }) => {
    for (const each of deps.hubs.of(of)) each.tell(target, [payload]);
  },
  freezeQuotes: ({ contract, user, isFrozen = true }, control) => {
    const { market } = control.deps.hubs;
    const freeze = {
      contract: contract === undefined ? undefined : control.listed(contract).code,
      user,
    };
    if (isFrozen) market.freeze(freeze);
    else market.thaw(freeze);
  },
  bars: ({ knob: _knob, contract, ...set }, control) =>
    control.deps.bars.setByHand(control.listed(contract).code, set),
};
