import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { HANGS_AFTER_MS } from "../../support/wait.ts";
import { type CopyParty, type CopySite, type Desk, MNQ, NQ } from "./copy-desk.ts";

/** Where the market stands, and how much it shows, unless it is thin. */
const BIDS = { MNQ: 100_000, NQ: 100_000 } as const;
const LISTED = { MNQ, NQ } as const;
const DEEP = 1_000_000;
const LOW = { maxPositionQty: 1 };
const USUAL = { maxPositionQty: 100 };
const POLL_MS = 100;

export type Root = keyof typeof LISTED;
type Net = Partial<Record<Root, number>>;
const ROOTS = ["MNQ", "NQ"] as const satisfies readonly Root[];

/** How one follower is to trade, in the words of the API. */
export interface Terms {
  readonly multiplier?: number;
  readonly fixedQty?: number;
  readonly invert?: boolean;
  readonly symbolMap?: Partial<Record<Root, Root>>;
  readonly maxQty?: number;
}

/** One group as it is opened. */
export interface GroupTerms {
  readonly driftPolicy: "alarm" | "repair";
  readonly followers: readonly Terms[];
}

/** What the model knows of a follower. */
export interface Pupil {
  readonly n: number;
  readonly desk: Desk;
  readonly terms: Terms;
  isOn: boolean;
  isLimited: boolean;
  /** Since a person last resumed it. */
  wasLimited: boolean;
  /** Its own contracts in which it came too late: it may hold less than its target there. */
  readonly late: Set<Root>;
  /** Its own contracts in which it held something beside its target when it began. */
  readonly own: Map<Root, Own>;
}

/** What a follower held before it followed: nobody touches that until the leader trades there. */
interface Own {
  /** One of these, signed: something was on its way while it began. */
  readonly qtys: readonly number[];
  /** Nobody has traded there since, nor was anything on its way: all of it is still there. */
  isWhole: boolean;
}

/** One group, and what its leader holds once every order is filled. */
export interface School {
  readonly party: CopyParty;
  readonly pupils: readonly Pupil[];
  readonly leads: Net;
  /** Nothing is repaired in it: nobody is stopped, refused or traded by hand either. */
  readonly isCopiedOnly: boolean;
  isPaused: boolean;
  /** Its leader has not traded since everybody held what they were to hold. */
  isSettled: boolean;
}

/** What a follower is to hold: told from the API's words alone, and not by the code under test. */
export function targetOf({ terms }: Pick<Pupil, "terms">, leads: Net): Required<Net> {
  const { multiplier = 1, fixedQty, invert = false, symbolMap = {}, maxQty = Infinity } = terms;
  const sums = { MNQ: 0, NQ: 0 };
  for (const root of ROOTS) sums[symbolMap[root] ?? root] += leads[root] ?? 0;
  const sized = (net: number) => {
    if (net === 0) return 0;
    const qty = Math.min(maxQty, fixedQty ?? Math.floor(Math.abs(net) * multiplier));
    // Without a negative zero.
    return qty === 0 ? 0 : qty * Math.sign(net) * (invert ? -1 : 1);
  };
  return { MNQ: sized(sums.MNQ), NQ: sized(sums.NQ) };
}

/** Groups on one gateway, and the model of each. */
export class CopyWorld {
  readonly site: CopySite;
  readonly schools: readonly School[];

  private constructor(site: CopySite, schools: readonly School[]) {
    this.site = site;
    this.schools = schools;
  }

  static async open(site: CopySite, groups: readonly GroupTerms[]): Promise<CopyWorld> {
    const schools: School[] = [];
    for (const { driftPolicy, followers } of groups) {
      const terms = { driftPolicy, driftAfterSeconds: 2, maxAgeSeconds: 600 };
      const party = await site.group({ ...terms, stopAfterRejects: 100 }, followers);
      const pupils = followers.map((its, n) => ({
        n,
        desk: party.follower(n),
        terms: its,
        isOn: true,
        isLimited: false,
        wasLimited: false,
        late: new Set<Root>(),
        own: new Map<Root, Own>(),
      }));
      const isCopiedOnly = driftPolicy === "alarm";
      const began = { isPaused: false, isSettled: true };
      schools.push({ party, pupils, leads: {}, isCopiedOnly, ...began });
    }
    return new CopyWorld(site, schools);
  }

  school(n: number): School {
    const found = this.schools[n % this.schools.length];
    if (found === undefined) throw new Error("There is no school");
    return found;
  }

  /** The market shows so few until the order is filled. */
  async trade(school: School, root: Root, { qty, shown = DEEP }: Trade): Promise<void> {
    const { gateway } = this.site;
    const { leader } = school.party;
    school.isSettled = false;
    this.#pass(school, root, qty);
    let bid: number = BIDS[root];
    gateway.quote(LISTED[root], bid, shown);
    const order = { symbol: `${root}1!` };
    const reply = await leader.trade(qty > 0 ? "buy" : "sell", Math.abs(qty), order);
    claim(reply.status === 201, "a leader's order is placed", reply.text);
    const due = rows(school.leads);
    await this.#until("a leader's order is filled", async () => {
      // Only what is new is shown anew.
      bid = bid === BIDS[root] ? bid + 1 : BIDS[root];
      gateway.quote(LISTED[root], bid, shown);
      return isDeepStrictEqual(await leader.positions(), due)
        ? undefined
        : await leader.positions();
    });
    gateway.quote(LISTED[root], BIDS[root], DEEP);
  }

  /**
   * A follower that came late follows where its leader's position, as it sees it, passes flat, and
   * what it held there before is its own no more.
   */
  #pass(school: School, root: Root, qty: number): void {
    const before = school.pupils.map((pupil) => targetOf(pupil, school.leads));
    school.leads[root] = (school.leads[root] ?? 0) + qty;
    for (const [n, pupil] of school.pupils.entries()) {
      const after = targetOf(pupil, school.leads);
      for (const late of pupil.late) {
        if ((before[n]?.[late] ?? 0) * after[late] <= 0) pupil.late.delete(late);
      }
      const traded = pupil.terms.symbolMap?.[root] ?? root;
      const own = pupil.own.get(traded);
      if ((before[n]?.[traded] ?? 0) * after[traded] <= 0) pupil.own.delete(traded);
      else if (own !== undefined) own.isWhole = false;
    }
  }

  async turn(school: School, pupil: Pupil, isOn: boolean): Promise<void> {
    const change = async () => await school.party.changeFollower({ enabled: isOn }, pupil.n);
    if (isOn && !pupil.isOn) await this.#begin(school, [pupil], change);
    else await change();
    pupil.isOn = isOn;
  }

  async pause(school: School, isPaused: boolean): Promise<void> {
    const change = async () => await school.party.change({ paused: isPaused });
    if (school.isPaused && !isPaused) await this.#begin(school, school.pupils, change);
    else await change();
    school.isPaused = isPaused;
  }

  /** They begin to follow by a change: they are late, and what they hold beside their targets is theirs. */
  async #begin(
    school: School,
    pupils: readonly Pupil[],
    change: () => Promise<void>,
  ): Promise<void> {
    const read = async () => await Promise.all(pupils.map(({ desk }) => desk.positions()));
    const held = await read();
    const pending = await school.party.copies("&outcome=pending");
    await change();
    const after = await read();
    for (const [n, pupil] of pupils.entries()) {
      beginAnew(school, pupil);
      pupil.own.clear();
      const target = targetOf(pupil, school.leads);
      for (const root of ROOTS) {
        const seen = new Set([held, after].map((all) => all[n]?.[LISTED[root].code] ?? 0));
        const isWhole = school.isSettled && pending.length === 0 && seen.size === 1;
        const qtys = [...seen].filter((qty) => qty !== 0 && qty !== target[root]);
        if (qtys.length > 0) pupil.own.set(root, { qtys, isWhole });
      }
    }
  }

  async limit(pupil: Pupil, isLimited: boolean): Promise<void> {
    await pupil.desk.limit(isLimited ? LOW : USUAL);
    pupil.isLimited = isLimited;
    pupil.wasLimited ||= isLimited;
  }

  /** Somebody trades a follower's account by hand; its limits may refuse it. */
  async byHand({ desk, own }: Pupil, root: Root, qty: number): Promise<void> {
    const there = own.get(root);
    if (there !== undefined) there.isWhole = false;
    await desk.trade(qty > 0 ? "buy" : "sell", Math.abs(qty), { symbol: `${root}1!` });
  }

  async sync({ party, pupils, isPaused }: School): Promise<void> {
    const reply = await party.sync();
    claim(reply.status === (isPaused ? 409 : 202), "a sync is taken", reply.text);
    if (isPaused) return;
    for (const { late, own } of pupils.filter(({ isOn }) => isOn)) {
      late.clear();
      own.clear();
    }
  }

  async breakSession(): Promise<void> {
    this.site.gateway.paper.breakSession(new Error("The link is lost"));
    await this.#connected();
  }

  async restart(): Promise<void> {
    await this.site.gateway.restart();
    await this.#connected();
  }

  async #connected(): Promise<void> {
    await this.#until("the broker is connected", async () => {
      const { body } = await this.site.gateway.api.get("/v1/accounts");
      const away = body.accounts.filter((one: { connectionStatus: string }) => {
        return one.connectionStatus !== "CONNECTED";
      });
      return away.length === 0 ? undefined : away.length;
    });
  }

  /** Once nothing is refused any more, everybody comes to hold what the model says, and stays there. */
  async settle(): Promise<void> {
    for (const { pupils } of this.schools) {
      for (const pupil of pupils) if (pupil.isLimited) await this.limit(pupil, false);
    }
    let quiet = 0;
    await this.#until("everybody holds what it is to hold", async () => {
      const wrong = await this.#wrong();
      quiet = wrong.length === 0 ? quiet + 1 : 0;
      return quiet > 5 ? undefined : wrong;
    });
    for (const school of this.schools) school.isSettled = true;
  }

  async #wrong(): Promise<readonly unknown[]> {
    const all = await Promise.all(this.schools.map(async (school) => await this.#wrongOf(school)));
    return all.flat();
  }

  async #wrongOf(school: School): Promise<readonly unknown[]> {
    const { party, pupils, leads, isPaused } = school;
    const pending = await party.copies("&outcome=pending");
    const wrong: unknown[] = pending.map(({ id, accountId }) => ({ pending: id, accountId }));
    const held = await party.leader.positions();
    if (!isDeepStrictEqual(held, rows(leads))) {
      wrong.push({ leader: party.leader.account, held, leads });
    }
    for (const pupil of pupils) {
      if (isPaused || !pupil.isOn) continue;
      const state = await party.state(pupil.n);
      if (state === "stopped") await this.#resume(school, pupil);
      const holds = await pupil.desk.positions();
      const target = targetOf(pupil, leads);
      const isRight = ROOTS.every((root) => {
        return mayHold(pupil, root, { qty: holds[LISTED[root].code] ?? 0, due: target[root] });
      });
      const isCalm = state === "following" || (state === "joining" && pupil.late.size > 0);
      if (isRight && isCalm) continue;
      const { account } = pupil.desk;
      const [late, own] = [[...pupil.late], Object.fromEntries(pupil.own)];
      wrong.push({ account, state, holds, target, late, own, terms: pupil.terms });
    }
    return wrong;
  }

  /** Only one that was refused may be stopped. */
  async #resume(school: School, pupil: Pupil): Promise<void> {
    const standing = await school.party.standing(pupil.n);
    claim(pupil.wasLimited, "nobody is stopped who was not refused", standing);
    await school.party.changeFollower({ resume: true }, pupil.n);
    beginAnew(school, pupil);
    pupil.wasLimited = false;
  }

  /**
   * Everybody follows; the leader goes out, in and out again, and everybody does with it. After a sync
   * nobody holds anything.
   */
  async end(): Promise<void> {
    await this.settle();
    for (const school of this.schools) {
      if (school.isPaused) await this.pause(school, false);
      for (const pupil of school.pupils) if (!pupil.isOn) await this.turn(school, pupil, true);
    }
    await this.#allFlat();
    for (const school of this.schools) await this.trade(school, "MNQ", { qty: 3 });
    await this.settle();
    await this.#allFlat();
    for (const school of this.schools) await this.sync(school);
    for (const { pupils } of this.schools) {
      for (const pupil of pupils) claim(pupil.own.size === 0, "a sync leaves nothing", pupil);
    }
    await this.settle();
    for (const { party } of this.schools) await this.site.gateway.api.delete(party.path);
  }

  async #allFlat(): Promise<void> {
    for (const school of this.schools) {
      for (const root of ROOTS) {
        const qty = school.leads[root] ?? 0;
        if (qty !== 0) await this.trade(school, root, { qty: -qty });
      }
    }
    await this.settle();
    for (const { pupils } of this.schools) {
      for (const pupil of pupils) claim(pupil.late.size === 0, "who is flat has joined", pupil);
    }
  }

  /** Until nothing is in the way; what was is told when it stays there. */
  async #until(what: string, find: () => Promise<unknown>): Promise<void> {
    const deadline = performance.now() + HANGS_AFTER_MS;
    for (;;) {
      const found = await find();
      if (found === undefined) return;
      if (performance.now() > deadline) {
        const copies = await Promise.all(this.schools.map(({ party }) => party.copies()));
        const last = copies.map((all) => all.slice(0, 8));
        throw new Error(
          `Waited in vain until ${what}: ${JSON.stringify({ found, last }, null, 1)}`,
        );
      }
      await sleep(POLL_MS);
    }
  }
}

export interface Trade {
  /** Signed. */
  readonly qty: number;
  readonly shown?: number;
}

function beginAnew({ leads }: School, pupil: Pupil): void {
  const target = targetOf(pupil, leads);
  for (const root of ROOTS) if (target[root] !== 0) pupil.late.add(root);
}

/** Whether a follower that is to hold so many may hold this. */
function mayHold(
  pupil: Pupil,
  root: Root,
  { qty, due }: { readonly qty: number; readonly due: number },
): boolean {
  if (isForeign(pupil, root)) return true;
  const own = pupil.own.get(root);
  if (own?.isWhole === true) return own.qtys.includes(qty);
  if (own?.qtys.some((its) => isWithin(qty, its)) === true) return true;
  return pupil.late.has(root) ? isWithin(qty, due) : qty === due;
}

const isWithin = (qty: number, most: number): boolean =>
  qty * most >= 0 && Math.abs(qty) <= Math.abs(most);

/** No contract of its leader becomes this one: what is held of it is the follower's own affair. */
function isForeign({ terms: { symbolMap = {} } }: Pupil, root: Root): boolean {
  return Object.hasOwn(symbolMap, root) && !Object.values(symbolMap).includes(root);
}

const rows = (net: Net): Record<string, number> =>
  Object.fromEntries(
    ROOTS.map((root) => [LISTED[root].code, net[root] ?? 0] as const).filter(
      ([, qty]) => qty !== 0,
    ),
  );

function claim(isTrue: boolean, promise: string, facts: unknown): void {
  if (!isTrue) throw new Error(`${promise}; but ${JSON.stringify(facts)}`);
}
