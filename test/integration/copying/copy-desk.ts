import { isDeepStrictEqual } from "node:util";
import {
  frontMonth,
  startGateway,
  type Settings,
  type TestGateway,
} from "../../support/gateway.ts";
import type { ApiClient, Reply } from "../../support/http-client.ts";
import { made, untilTaken, waitUntil } from "../../support/wait.ts";

export const MNQ = frontMonth("MNQ");
export const NQ = frontMonth("NQ");
export const ES = frontMonth("ES");

/** Orders and positions of one account of a gateway. */
export interface Desk {
  readonly account: string;
  readonly trade: (action: "buy" | "sell", qty: number, more?: object) => Promise<Reply>;
  readonly limit: (change: object) => Promise<void>;
  /** Signed, by contract; flat ones are left out. */
  readonly positions: () => Promise<Record<string, number>>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests reach into answers freely
type Row = any;

/** A copy group of the gateway, and what can be asked of it. */
export class CopyParty {
  readonly id: string;
  readonly path: string;
  readonly leader: Desk;
  readonly followers: readonly Desk[];
  readonly #api: () => ApiClient;

  constructor(
    id: string,
    desks: { readonly leader: Desk; readonly followers: readonly Desk[] },
    api: () => ApiClient,
  ) {
    this.id = id;
    this.path = `/v1/copy-groups/${id}`;
    this.leader = desks.leader;
    this.followers = desks.followers;
    this.#api = api;
  }

  follower(n = 0): Desk {
    const found = this.followers[n];
    if (found === undefined) throw new Error(`There is no follower ${n}`);
    return found;
  }

  async change(terms: object): Promise<void> {
    answered(200, await this.#api().patch(this.path, terms));
  }

  async changeFollower(terms: object, n = 0): Promise<void> {
    const { account } = this.follower(n);
    answered(200, await this.#api().patch(`${this.path}/followers/${account}`, terms));
  }

  async sync(body: object = {}): Promise<Reply> {
    return await this.#api().post(`${this.path}/sync`, body);
  }

  async standing(n = 0): Promise<Row> {
    const { body } = await this.#api().get(this.path);
    const { account } = this.follower(n);
    return body.followers.find(({ accountId }: Row) => accountId === account);
  }

  readonly state = async (n = 0): Promise<string> => (await this.standing(n)).state;

  /** The answer follows a moment after the broker's account has changed. */
  async untilState(state: string, n = 0): Promise<void> {
    const isSo = async () => (await this.state(n)) === state;
    await waitUntil(`follower ${n} is ${state}`, isSo);
  }

  /** Newest first. */
  async copies(query = ""): Promise<readonly Row[]> {
    return (await this.#api().get(`${this.path}/copies?limit=100${query}`)).body.copies;
  }

  /** The newest copy to a follower, once there are so many, and all have ended and are measured. */
  async nthCopy(count: number, n = 0): Promise<Row> {
    const { account } = this.follower(n);
    let copies: readonly Row[] = [];
    await waitUntil(`${account} has ${count} copies that have ended`, async () => {
      copies = await this.copies(`&accountId=${account}`);
      const isOver = ({ outcome, settledMs }: Row) => outcome === "skipped" || settledMs !== null;
      return copies.length === count && copies.every(isOver);
    });
    return copies[0];
  }
}

/** A gateway whose paper accounts lead and follow. */
export class CopySite {
  readonly gateway: TestGateway;
  #next = 0;

  private constructor(gateway: TestGateway) {
    this.gateway = gateway;
  }

  static async open(accounts: number, settings: Settings = {}): Promise<CopySite> {
    const gateway = await startGateway({
      settings: { PAPER_ACCOUNTS: `1-${accounts}`, ...settings },
    });
    return new CopySite(gateway);
  }

  /** An account that no other test uses. */
  desk(): Desk {
    this.#next += 1;
    const account = `paper-${this.#next}`;
    const path = `/v1/accounts/${account}`;
    return {
      account,
      trade: async (action, qty, more = {}) => {
        const order = { symbol: "MNQ1!", action, qty, ...more };
        return await untilTaken(async () => await this.gateway.api.post(`${path}/orders`, order));
      },
      limit: async (change) => {
        answered(200, await this.gateway.api.put(`${path}/limits`, change));
      },
      positions: async () => await this.gateway.broker.positions(account),
    };
  }

  /** A group of new accounts, or of these. */
  async group(
    terms: object = {},
    followers: readonly object[] = [{}],
    leader: Desk = this.desk(),
  ): Promise<CopyParty> {
    const desks = followers.map(() => this.desk());
    const group = {
      leaderAccountId: leader.account,
      followers: desks.map(({ account }, n) => ({ accountId: account, ...followers[n] })),
      ...terms,
    };
    const { id } = await made(async () => await this.gateway.api.post("/v1/copy-groups", group));
    return new CopyParty(id, { leader, followers: desks }, () => this.gateway.api);
  }
}

/** An order that has filled when it is answered. Its effect may be repaired before anybody looks. */
export async function filled(order: Promise<Reply>): Promise<void> {
  const reply = await order;
  answered(201, reply);
  if (reply.body.status !== "filled") throw new Error(`Answered ${reply.text}`);
}

/** Every position of a desk is as it is to be, soon. */
export async function untilHolds(desk: Desk, expected: Record<string, number>): Promise<void> {
  let held: Record<string, number> = {};
  const isHeld = async () => {
    held = await desk.positions();
    return isDeepStrictEqual(held, expected);
  };
  await waitUntil(`${desk.account} holds ${JSON.stringify(expected)}`, isHeld).catch((error) => {
    throw new Error(`It holds ${JSON.stringify(held)}`, { cause: error });
  });
}

/** As `untilHolds`, of one contract; 0 is flat. */
export async function untilNet(desk: Desk, qty: number): Promise<void> {
  await untilHolds(desk, qty === 0 ? {} : { [MNQ.code]: qty });
}

function answered(status: number, reply: Reply): void {
  if (reply.status !== status) throw new Error(`Answered ${reply.status}: ${reply.text}`);
}
