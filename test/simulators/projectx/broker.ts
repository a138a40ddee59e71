import { EventLog } from "../exchange/event-log.ts";
import { WireLog } from "../wire-log.ts";
import { Api } from "./api.ts";
import { BarDesk } from "./bar-desk.ts";
import { Clock } from "./clock.ts";
import { Contracts } from "./contracts.ts";
import { Control } from "./control.ts";
import { Faults } from "./faults.ts";
import { Hubs } from "./hubs.ts";
import { Journal } from "./journal.ts";
import { Limits } from "./limits.ts";
import { MarketTape } from "./market-tape.ts";
import { OrderBook } from "./order-book.ts";
import { OrderDesk } from "./order-desk.ts";
import { SettingsBook } from "./settings.ts";
import { Trading } from "./trading.ts";
import { Users } from "./users.ts";

/** The broker, put together. */
export class Broker {
  readonly clock = new Clock();
  readonly log = new EventLog(this.clock.now);
  readonly wire = new WireLog(this.clock.now);
  readonly settings = new SettingsBook();
  readonly faults = new Faults();
  readonly users: Users;
  readonly trading: Trading;
  readonly hubs: Hubs;
  readonly api: Api;
  readonly control: Control;

  constructor() {
    const { clock, log, settings, faults } = this;
    const contracts = new Contracts(clock.now);
    const orders = new OrderBook(clock, contracts);
    const users = new Users({ clock, settings, onAccount: ({ id }) => this.trading.open(id) });
    const journal = new Journal({
      clock,
      contracts,
      orders,
      users,
      settings,
      log,
      onEvent: (event) => this.hubs.tell(event),
      onFill: (fill) => {
        bars.note(fill.contract, fill.lastPx, fill.lastQty);
        this.hubs.traded(fill);
      },
    });
    const ofAccount = (account: number) => settings.of(users.account(account)?.user);
    this.users = users;
    this.trading = new Trading({ clock, orders, journal, settings: ofAccount });
    const { trading } = this;
    const bars = new BarDesk(clock, contracts, trading);
    const tape = new MarketTape({
      now: clock.now,
      contracts,
      quoteOf: (code) => trading.quoteOf(code),
    });
    const { wire } = this;
    this.hubs = new Hubs({ users, settings, tape, faults, journal, orders, wire, log });
    const { hubs } = this;
    const limits = new Limits(clock.now);
    const desk = new OrderDesk({ clock, contracts, orders, trading, log });
    const shared = {
      clock,
      users,
      settings,
      limits,
      faults,
      contracts,
      orders,
      journal,
      desk,
      bars,
    };
    this.api = new Api({
      ...shared,
      cutHubs: (user) => hubs.cut({ user, hub: "user" }),
      onLogin: (user, isGood) =>
        void log.add({ connection: user, op: "login", outcome: isGood ? "accepted" : "rejected" }),
      onLogout: (user) => hubs.logOut(user),
    });
    this.control = new Control({ ...shared, log, wire, trading, hubs });
  }

  /** The street trades on at the prices that stand. */
  repeatQuotes(): void {
    this.hubs.market.repeat();
  }
}
