import { expect } from "vitest";
import {
  frontMonth,
  startGateway,
  type Settings,
  type TestGateway,
} from "../../support/gateway.ts";
import type { ApiClient, Reply } from "../../support/http-client.ts";

export const MNQ = frontMonth("MNQ");
export const NQ = frontMonth("NQ");
export const ES = frontMonth("ES");

/** Long enough for a busy machine, and for two looks at drift with a repair between them. */
export const SOON = { timeout: 10_000 };

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
    const reply = await this.#api().patch(this.path, terms);
    expect([reply.status, reply.text]).toEqual([200, reply.text]);
  }

  async changeFollower(terms: object, n = 0): Promise<void> {
    const { account } = this.follower(n);
    const reply = await this.#api().patch(`${this.path}/followers/${account}`, terms);
    expect([reply.status, reply.text]).toEqual([200, reply.text]);
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

  /** Newest first. */
  async copies(query = ""): Promise<readonly Row[]> {
    return (await this.#api().get(`${this.path}/copies?limit=100${query}`)).body.copies;
  }

  /** The newest copy to a follower, once there are so many, and it has ended. */
  async nthCopy(count: number, n = 0): Promise<Row> {
    const { account } = this.follower(n);
    const found = async () => {
      const copies = await this.copies(`&accountId=${account}`);
      return [copies.length, copies.filter(({ outcome }) => outcome === "pending").length];
    };
    await expect.poll(found, SOON).toEqual([count, 0]);
    return (await this.copies(`&accountId=${account}`))[0];
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
    return new CopySite(
      await startGateway({ settings: { PAPER_ACCOUNTS: `1-${accounts}`, ...settings } }),
    );
  }

  /** An account that no other test uses. */
  desk(): Desk {
    this.#next += 1;
    const account = `paper-${this.#next}`;
    const path = `/v1/accounts/${account}`;
    return {
      account,
      trade: async (action, qty, more = {}) =>
        await this.gateway.api.post(`${path}/orders`, { symbol: "MNQ1!", action, qty, ...more }),
      limit: async (change) => {
        expect((await this.gateway.api.put(`${path}/limits`, change)).status).toBe(200);
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
    const reply = await this.gateway.api.post("/v1/copy-groups", {
      leaderAccountId: leader.account,
      followers: desks.map(({ account }, n) => ({ accountId: account, ...followers[n] })),
      ...terms,
    });
    expect([reply.status, reply.text]).toEqual([201, reply.text]);
    return new CopyParty(reply.body.id, { leader, followers: desks }, () => this.gateway.api);
  }
}

/** Every position of a desk is as it is to be, soon. */
export async function untilHolds(desk: Desk, expected: Record<string, number>): Promise<void> {
  await expect.poll(desk.positions, SOON).toEqual(expected);
}

/** As `untilHolds`, of one contract; 0 is flat. */
export async function untilNet(desk: Desk, qty: number): Promise<void> {
  await untilHolds(desk, qty === 0 ? {} : { [MNQ.code]: qty });
}
