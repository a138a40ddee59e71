import { beforeEach, describe, expect, test } from "vitest";
import {
  ContractDesk,
  type ContractDifference,
  ContractMemory,
} from "../../../../src/brokers/projectx/contract-desk.ts";
import { BudgetUsedUpError } from "../../../../src/brokers/projectx/requests.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { tickSize } from "../../../../src/domain/contracts/price.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";

const ES = {
  id: "CON.F.US.EP.U25",
  name: "ESU5",
  symbolId: "F.US.EP",
  tickSize: 0.25,
  tickValue: 12.5,
};
const QG = { id: "CON.F.US.NQG.V25", name: "QGV5", symbolId: "F.US.NQG", tickSize: 0.005 };
const NG = {
  id: "CON.F.US.NGE.V25",
  name: "NGV5",
  symbolId: "F.US.NGE",
  tickSize: 0.001,
  tickValue: 10,
};
const TABLE: Readonly<Record<string, { tick: string; worth: string }>> = {
  ES: { tick: "0.25", worth: "12.50" },
  NG: { tick: "0.001", worth: "10.00" },
};
const code = (text: string) => text as ContractCode;

let listed: object[];
let asked: string[];
let purposes: string[];
let failure: Error | undefined;
let now: number;
let differences: ContractDifference[];
let desk: ContractDesk;

beforeEach(() => {
  [listed, asked, failure, now, differences] = [[ES, QG, NG], [], undefined, 0, []];
  purposes = [];
  desk = newDesk();
});

function newDesk(memory = new ContractMemory()): ContractDesk {
  return new ContractDesk({
    memory,
    terms: {
      product: (root) => {
        const found = TABLE[root];
        return found && { tickSize: tickSize(found.tick), tickValue: found.worth };
      },
    },
    read: async (path, body, purpose) => {
      purposes.push(purpose);
      asked.push(`${path} ${JSON.stringify(body)}`);
      if (failure !== undefined) throw failure;
      const { contractId } = body as { readonly contractId?: string };
      const contract = listed.find((one) => (one as typeof ES).id === contractId);
      return { success: true, body: { contracts: listed, contract } };
    },
    onDifference: (_, difference) => differences.push(difference),
    elapsed: () => now,
  });
}

describe("what an id stands for", () => {
  test("is learned once", async () => {
    expect(desk.byId(ES.id)).toBeUndefined();
    const both = await Promise.all([desk.learn(ES.id), desk.learn(ES.id)]);
    expect(both.map((one) => one?.code)).toEqual(["ESU2025", "ESU2025"]);
    expect(desk.byId(ES.id)).toEqual({ code: "ESU2025", id: ES.id, tickSize: "0.25" });
    expect(asked).toHaveLength(1);
  });

  test("of a product whose symbol nobody has published is what its contracts are called by", async () => {
    expect((await desk.learn(NG.id))?.code).toBe("NGV2025");
    // Another tick is another product, whatever it is called.
    listed = [{ ...NG, tickSize: 0.005 }];
    expect((await newDesk().learn(NG.id))?.code).toBe("#NGV5");
    // The product of that name is known to have another symbol.
    listed = [{ ...NG, name: "ESV5", tickSize: 0.25 }];
    expect((await newDesk().learn(NG.id))?.code).toBe("#ESV5");
  });

  test("carries its own terms where our table lacks the product", async () => {
    expect(await desk.learn(QG.id)).toEqual({
      code: "QGV2025",
      id: QG.id,
      tickSize: "0.005",
      terms: { tickSize: "0.005" },
    });
  });

  test("has no name where the broker does not say it, and is asked for again later", async () => {
    listed = [];
    expect((await desk.learn(ES.id))?.code).toBe(`#${ES.id}`);
    expect((await desk.find(code(`#${ES.id}`)))?.id).toBe(ES.id);
    listed = [ES];
    expect((await desk.learn(ES.id))?.code).toBe(`#${ES.id}`);
    now += 5_000;
    expect((await desk.learn(ES.id))?.code).toBe("ESU2025");
  });

  test("stays as it was where it cannot be asked again, and asks nothing of the exits", async () => {
    listed = [{ ...NG, name: "ESV5", tickSize: 0.25 }];
    expect((await desk.learn(NG.id))?.code).toBe("#ESV5");
    for (const error of [new BudgetUsedUpError("used up"), new BrokerReadError("away")]) {
      failure = error;
      now += 5_000;
      expect((await desk.learn(NG.id))?.code).toBe("#ESV5");
    }
    expect(purposes).toEqual(["protect", "read", "read"]);
  });

  test("stays open where the budget does not allow to ask", async () => {
    failure = new BudgetUsedUpError("used up");
    await expect(desk.learn(ES.id)).rejects.toBe(failure);
    expect(desk.byId(ES.id)).toBeUndefined();
  });
});

describe("a contract of ours", () => {
  test("is found by symbol and month among all that a search finds", async () => {
    expect(await desk.idOf(code("NGV2025"))).toBe(NG.id);
    expect(await desk.idOf(code("NGV2025"))).toBe(NG.id);
    expect(asked).toEqual(['Contract/search {"searchText":"NGV5","live":false}']);
  });

  test("of another month or year is another one", async () => {
    expect(await desk.idOf(code("ESZ2025"))).toBeUndefined();
    expect(await desk.idOf(code("ESU2035"))).toBeUndefined();
    expect(await desk.doubt(code("ESU2035"))).toBeUndefined();
  });

  test("cannot be told where the broker does not answer", async () => {
    failure = new BrokerReadError("no answer");
    await expect(desk.idOf(code("ESU2025"))).rejects.toBe(failure);
    await expect(desk.doubt(code("ESU2025"))).rejects.toBe(failure);
  });

  test("is in doubt while the broker describes it otherwise, or not at all", async () => {
    expect(await desk.doubt(code("ESU2025"))).toBeUndefined();
    listed = [{ ...ES, tickSize: 0.5, tickValue: 25 }];
    desk = newDesk();
    expect(await desk.doubt(code("ESU2025"))).toMatch(/a tick of 0.5 instead of 0.25 and a tick w/);
    expect(differences.map(({ field }) => field)).toContain("tickValue");
    const { tickValue: _, ...rest } = ES;
    listed = [rest];
    desk = newDesk();
    expect(await desk.doubt(code("ESU2025"))).toMatch(/does not say/);
    listed = [ES];
    expect(await desk.doubt(code("ESU2025"))).toBeUndefined();
  });
});
