import { describe, expect, test } from "vitest";
import { EXIT_PLAN } from "../../../src/http/schemas/exit-plan.ts";
import { admitted, apiKey, filled, NOW, settled, startApp } from "./http-kit.ts";

const plan = EXIT_PLAN.plan;
const named = { name: "runner", plan, savedAt: Date.parse(EXIT_PLAN.savedAt) };

const start = (scopes?: Parameters<typeof apiKey>[0]) =>
  startApp({
    admitKey: async () => admitted(apiKey(scopes)),
    gateway: {
      listExitPlans: async () => [named],
      findExitPlan: async () => named,
      createExitPlan: async () => named,
      saveExitPlan: async () => named,
      removeExitPlan: async () => undefined,
      placeOrder: async () => settled(filled),
      protectPosition: async () => settled(filled),
    },
  });

const PATH = "/v1/exit-plans";

describe("exit plans", () => {
  test("are listed and read, in words too, as the document's example shows", async () => {
    const app = await start(["read"]);
    expect(named.savedAt).toBe(NOW);
    expect((await app.get(PATH)).body).toEqual({ exitPlans: [EXIT_PLAN] });
    expect((await app.get(`${PATH}/runner`)).body).toEqual(EXIT_PLAN);
  });

  test("are created and saved as they are written", async () => {
    const app = await start(["trade"]);
    const created = await app.post(PATH, { name: "runner", plan });
    const saved = await app.send("PUT", `${PATH}/runner`, plan);
    expect([created.status, saved.status]).toEqual([201, 200]);
    expect(saved.body).toEqual(EXIT_PLAN);
    expect(app.calls.map(({ name, args }) => [name, ...args.slice(1)])).toEqual([
      ["createExitPlan", "runner", plan],
      ["saveExitPlan", "runner", plan],
    ]);
  });

  test("are deleted", async () => {
    const app = await start(["trade"]);
    expect((await app.send("DELETE", `${PATH}/runner`)).status).toBe(204);
    expect(app.calls[0]?.args[1]).toBe("runner");
  });

  test.each<[object, string, string]>([
    [{ stop: { ticks: 0 } }, "stop.ticks", "must be at least 1"],
    [{ stop: {} }, "stop", "needs at least one of price, ticks, offset, percent and money"],
    [{ stop: { r: 1 } }, "stop.r", "is not a known field"],
    [{ targets: [{ share: 101 }] }, "targets.0.share", "must be at most 100"],
    [{ trailing: {} }, "trailing.distance", "is needed"],
    [{ trailing: { distance: { price: 1 } } }, "trailing.distance.price", "is not a known field"],
    [{ breakeven: { after: { target: 9 } } }, "breakeven.after.target", "must be at most 8"],
    [{ closeAfterSeconds: 86_401 }, "closeAfterSeconds", "must be at most 86400"],
    [
      {},
      "body",
      "needs at least one of targets, stop, breakeven, trailing, closeAfterSeconds and closeBeforeSessionEndSeconds",
    ],
  ])("of %j are refused at their place, inside an order too", async (wrong, path, message) => {
    const app = await start(["trade"]);
    const saved = await app.send("PUT", `${PATH}/runner`, wrong);
    expect(saved.body.error.details).toContainEqual({ path, message });
    const asked = { symbol: "ES", action: "buy", qty: 1, exitPlan: wrong };
    const ordered = await app.post("/v1/accounts/paper-1/orders", asked);
    // Nothing at all is a plan of nothing there: the use case says so.
    const isEmpty = Object.keys(wrong).length === 0;
    const within = isEmpty ? undefined : [{ path: `exitPlan.${path}`, message }];
    expect(ordered.body.error?.details).toEqual(within);
  });

  test.each(["-us", "a b", "ä", "x".repeat(41)])("are not called %s", async (name) => {
    const app = await start(["trade"]);
    const put = await app.send("PUT", `${PATH}/${encodeURIComponent(name)}`, plan);
    const post = await app.post(PATH, { name, plan });
    for (const { status, body } of [put, post]) {
      expect([status, body.error.details[0].path]).toEqual([400, "name"]);
    }
    expect(app.calls).toEqual([]);
  });

  test.each([
    ["GET", PATH, ["trade"]],
    ["GET", `${PATH}/runner`, ["trade"]],
    ["PUT", `${PATH}/runner`, ["read"]],
    ["DELETE", `${PATH}/runner`, ["read"]],
  ] as const)("%s %s needs more than %j", async (method, path, scopes) => {
    const app = await start(scopes);
    const reply = await app.send(method, path, method === "PUT" ? plan : undefined);
    expect([reply.status, app.calls]).toEqual([403, []]);
  });
});

describe("an order, and a protection", () => {
  const order = { symbol: "ES1!", action: "buy", qty: 1 };

  test.each([["runner"], [plan]])("may ask for the exit plan %j", async (exitPlan) => {
    const app = await start(["trade"]);
    await app.post("/v1/accounts/paper-1/orders", { ...order, exitPlan });
    await app.post("/v1/accounts/paper-1/protect", { exitPlan });
    expect(app.calls[0]?.args[2]).toMatchObject({ exitPlan });
    expect(app.calls[1]?.args[2]).toEqual({ exitPlan });
  });

  test("may ask for no other thing", async () => {
    const app = await start(["trade"]);
    for (const exitPlan of [4, [], null, true]) {
      const { body } = await app.post("/v1/accounts/paper-1/orders", { ...order, exitPlan });
      expect(body.error.details).toEqual([
        { path: "exitPlan", message: "must be an object or text" },
      ]);
    }
  });
});
