import { afterEach, beforeEach, expect, test } from "vitest";
import { ESZ6, type Json, TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
});
afterEach(() => client.close());

const search = async (searchText: string, live = false): Promise<readonly Json[]> =>
  (await client.post("Contract/search", { searchText, live }))["contracts"] as readonly Json[];

test("a contract is found by its name, with all that the documents say of it", async () => {
  const [found] = await search("ESZ6");
  expect(found).toEqual({
    id: ESZ6,
    name: "ESZ6",
    description: "E-mini S&P 500: December 2026",
    tickSize: 0.25,
    tickValue: 12.5,
    activeContract: true,
    symbolId: "F.US.EP",
  });
  const byId = await client.post("Contract/searchById", { contractId: ESZ6 });
  expect(byId["contract"]).toEqual(found);
});

test.each([
  ["NQH7", "CON.F.US.ENQ.H27"],
  ["ZNH7", "CON.F.US.TYA.H27"],
  ["ZBH7", "CON.F.US.USA.H27"],
  ["HGH7", "CON.F.US.CPE.H27"],
  ["MCLH7", "CON.F.US.MCLE.H27"],
  ["METH7", "CON.F.US.GMET.H27"],
  ["MESH7", "CON.F.US.MES.H27"],
])("%s is called by the broker's own code", async (name, id) => {
  expect((await search(name)).map((contract) => contract["id"])).toContain(id);
  const found = await client.post("Contract/searchById", { contractId: id });
  expect(found["contract"]).toMatchObject({ id, name });
});

test("a search by text finds others too, and no more than twenty", async () => {
  const symbols = async (text: string) =>
    (await search(text)).map(({ symbolId }) => String(symbolId));
  expect((await symbols("CL"))[0]).toBe("F.US.QM");
  expect(await symbols("CL")).toContain("F.US.CLE");
  expect(await symbols("NG")).toEqual(expect.arrayContaining(["F.US.QG", "F.US.NGE"]));
  expect(await symbols("ENQ")).toContain("F.US.ENQ");
  // "Japanese Yen" has the letters.
  expect(await symbols("ES")).toEqual(expect.arrayContaining(["F.US.EP", "F.US.JY6"]));
  expect(await search("m")).toHaveLength(20);
  expect(await search("nothing of the kind")).toEqual([]);
});

test("what does not trade is not found by its id", async () => {
  for (const contractId of ["CON.F.US.ES.Z26", "ESZ6", "CON.F.US.XX.Z26", ""]) {
    const answer = await client.post("Contract/searchById", { contractId });
    expect(answer).toMatchObject({ success: false, errorCode: 1, contract: null });
  }
  expect((await client.request("Contract/searchById", {})).status).toBe(400);
  expect((await client.request("Contract/search", { live: false })).status).toBe(400);
});

test("one that is not listed is known by its id, and one that is not active says so", async () => {
  await client.control({ knob: "contract", contract: "ESZ6", isListed: false, isActive: false });
  expect((await search("ESZ6")).map(({ id }) => id)).not.toContain(ESZ6);
  const { contract } = await client.post("Contract/searchById", { contractId: ESZ6 });
  expect(contract).toMatchObject({ activeContract: false });
  expect(await client.place()).toMatchObject({ success: false, errorCode: 9, orderId: null });
});

test("what is there are front months, and nothing live for who has no such subscription", async () => {
  const all = async (live: boolean) =>
    (await client.post("Contract/available", { live }))["contracts"] as readonly Json[];
  const names = (await all(false)).map(({ name }) => String(name));
  expect(names.filter((name) => /^ES[HMUZ]\d$/.test(name))).toHaveLength(1);
  expect(await all(true)).toHaveLength(names.length);
  await client.control({ knob: "set", liveContracts: "empty" });
  expect([await all(true), await search("ESZ6", true)]).toEqual([[], []]);
  expect(await all(false)).toHaveLength(names.length);
});

test("one that ends closes what is held of it, and takes no more orders", async () => {
  await client.quote(6_850);
  await client.place({ size: 2, customTag: "held" });
  const { orderId } = await client.place({ type: 1, limitPrice: 6_800, customTag: "rests" });
  const hub = await client.listen();
  await client.control({ knob: "endContract", contract: "ESZ6" });
  expect(await client.list("Position/searchOpen")).toEqual([]);
  const orders = await client.list("Order/search");
  expect(orders.find(({ id }) => id === orderId)).toMatchObject({ status: 4 });
  expect(orders.at(-1)).toMatchObject({ customTag: null, status: 2, side: 1, size: 2 });
  expect(await client.place()).toMatchObject({ errorCode: 9 });
  await hub.settle();
  expect(hub.toldOf("GatewayUserPosition").at(-1)).toMatchObject({ action: 2, data: { size: 0 } });
});
