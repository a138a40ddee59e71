// The goal: what a webhook's owner sets is kept exactly, holds from the next alert on, and is never lost.
// The method: set options over HTTP and from the command line on the whole gateway, and read them back.
import { beforeAll, describe, expect, test } from "vitest";
import {
  OPTION_NAMES,
  type OptionName,
  webhookOption,
} from "../../src/domain/declared/webhook-options.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { postAlert, type Reply } from "../support/http-client.ts";

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { WEBHOOK_RATE_LIMIT_PER_MINUTE: "120" } });
  await gateway.api.post("/v1/exit-plans", PLAN);
  return gateway.stop;
});

const PLAN = { name: "runner", plan: { stop: { ticks: 20 } } };

/** A valid value of an option. The least number, so that a 0 is not taken for nothing. */
function valueOf(name: OptionName): unknown {
  const option = webhookOption(name);
  switch (option.kind) {
    case "choice":
      return option.words.at(-1);
    case "side":
      return "long";
    case "whole":
      return option.min;
    case "decimal":
      return "0.25";
    case "name":
      return PLAN.name;
    case "list":
      return LISTS[option.items];
    case "map":
      return { NQ: "MNQ" };
  }
}
const LISTS = {
  names: ["rsi", "confidence"],
  roots: ["MNQ", "MES"],
  senders: ["tradingview", "203.0.113.0/24"],
};

/** Every option but riskPercent, which excludes riskMoney. */
const OPTIONS = Object.fromEntries(
  OPTION_NAMES.filter((name) => name !== "riskPercent").map((name) => [name, valueOf(name)]),
);
const UNSET = Object.fromEntries(OPTION_NAMES.map((name) => [name, null]));

async function create(options: object = {}): Promise<Reply["body"]> {
  const reply = await gateway.api.post("/v1/webhooks", { accountId: "paper-1", ...options });
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body;
}
const read = async (id: string) => (await gateway.api.get(`/v1/webhooks/${id}`)).body;
const change = async (id: string, fields: object) =>
  await gateway.api.patch(`/v1/webhooks/${id}`, fields);

describe("options", () => {
  test("are kept as they were set, and shown everywhere", async () => {
    const webhook = await create(OPTIONS);
    expect(webhook).toMatchObject(OPTIONS);
    expect(await read(webhook.id)).toMatchObject(OPTIONS);
    const { webhooks } = (await gateway.api.get("/v1/webhooks")).body;
    expect(webhooks.find(({ id }: { id: string }) => id === webhook.id)).toMatchObject(OPTIONS);
  });

  test("are none without any, and none again after null", async () => {
    expect(await create()).toMatchObject(UNSET);
    const { id } = await create(OPTIONS);
    expect((await change(id, UNSET)).body).toMatchObject(UNSET);
    expect(await read(id)).toMatchObject(UNSET);
  });

  test.each(OPTION_NAMES)(
    "each by itself is set, shown, changed to and cleared: %s",
    async (name) => {
      const wanted = { ...UNSET, [name]: valueOf(name) };
      const { id } = await create({ [name]: valueOf(name) });
      expect(await read(id)).toMatchObject(wanted);
      const plain = (await create()).id as string;
      expect((await change(plain, { [name]: valueOf(name) })).body).toMatchObject(wanted);
      expect(await read(plain)).toMatchObject(wanted);
      expect((await change(plain, { name: "Named" })).body).toMatchObject({
        ...wanted,
        name: "Named",
      });
      expect((await change(plain, { [name]: null })).body).toMatchObject(UNSET);
      expect(await read(plain)).toMatchObject(UNSET);
    },
  );

  test("say what may be risked in one way, also where the other was saved before", async () => {
    const { id } = await create({ riskMoney: "500" });
    const refused = await change(id, { riskPercent: "1" });
    expect([refused.status, refused.body.error?.details]).toMatchObject([
      400,
      [{ path: "riskPercent" }],
    ]);
    expect((await change(id, { riskMoney: "400" })).status).toBe(200);
    const changed = await change(id, { riskMoney: null, riskPercent: "1" });
    expect(changed.body).toMatchObject({ riskMoney: null, riskPercent: "1" });
    expect((await change(id, { riskMoney: "500" })).status).toBe(400);
    expect((await change(id, { multiplier: "2" })).status).toBe(200);
  });

  test("are stored in their plain form", async () => {
    const { id } = await create();
    const changed = await change(id, {
      multiplier: 0.5,
      symbolMap: { nq: "mnq" },
      allowedSymbols: ["mnq"],
    });
    expect(changed.body).toMatchObject({
      multiplier: "0.5",
      symbolMap: { NQ: "MNQ" },
      allowedSymbols: ["MNQ"],
    });
  });

  test("that are changed at once are all kept", async () => {
    const { id } = await create();
    const fields = [...Object.entries(OPTIONS), ["name", "Both"] as const];
    const replies = await Promise.all(
      fields.map(async ([name, value]) => await change(id, { [name]: value })),
    );
    expect(replies.map(({ status }) => status)).toEqual(fields.map(() => 200));
    expect(await read(id)).toMatchObject({ ...OPTIONS, name: "Both" });
  });

  test("that name what there is not are refused together, and change nothing", async () => {
    const { id } = await create({ symbolMap: { ES: "MES" }, name: "Before" });
    const wrong = {
      name: "After",
      multiplier: "0.00001",
      symbolMap: { ES: "ESX", NQ1: "MNQ" },
      allowedSymbols: ["MNQ", "MNQ1!"],
      allowedSenders: ["10.0.0.0/40", "tradingview", "my-server"],
    };
    const replies = [
      await change(id, wrong),
      await gateway.api.post("/v1/webhooks", { accountId: "paper-1", ...wrong }),
    ];
    for (const { status, body } of replies) {
      expect([status, body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
      expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual([
        "multiplier",
        "symbolMap.ES",
        "symbolMap.NQ1",
        "allowedSymbols.1",
        "allowedSenders.0",
        "allowedSenders.2",
      ]);
    }
    expect(await read(id)).toMatchObject({ name: "Before", symbolMap: { ES: "MES" } });
  });

  test("of a webhook that is not there are a 404", async () => {
    expect((await change("hook_none", { defaultQty: 1 })).status).toBe(404);
  });
});

test("a webhook's own rate limit holds for it alone, and each answer shows it", async () => {
  const [slow, usual] = [await create({ rateLimitPerMinute: 2 }), await create()];
  const answers: Reply[] = [];
  for (let n = 0; n < 3; n += 1) answers.push(await postAlert(slow.url, { note: `not one ${n}` }));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 429]);
  const shown = answers.map(({ headers }) => [
    headers.get("ratelimit-policy"),
    headers.get("x-ratelimit-limit"),
    headers.get("x-ratelimit-remaining"),
  ]);
  const policy = '"default";q=2;w=60';
  expect(shown).toEqual([
    [policy, "2", "1"],
    [policy, "2", "0"],
    [policy, "2", "0"],
  ]);
  expect(answers[2]?.headers.get("retry-after")).toMatch(/^\d+$/);

  const other = await postAlert(usual.url, { note: "not one" });
  expect([other.status, other.headers.get("x-ratelimit-limit")]).toEqual([400, "120"]);
  await change(slow.id, { rateLimitPerMinute: null });
  expect((await postAlert(slow.url, { note: "again" })).status).toBe(400);
});
