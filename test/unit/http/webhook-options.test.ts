import { beforeEach, describe, expect, test } from "vitest";
import type { WebhookOptions, WebhookOptionsChange } from "../../../src/domain/alert.ts";
import { startApp, webhook } from "./http-kit.ts";

let app: Awaited<ReturnType<typeof startApp>>;
let options: WebhookOptions;

beforeEach(async () => {
  options = {};
  const answer = () => ({ ...webhook, options });
  app = await startApp({
    gateway: {
      createWebhook: async () => ({ webhook: answer(), secret: "s3cret" }),
      findWebhook: async () => answer(),
      listWebhooks: async () => [answer()],
      changeWebhook: async () => answer(),
    },
  });
});

const create = (fields: object) => app.post("/v1/webhooks", { accountId: "paper-1", ...fields });
const change = (fields: object) => app.send("PATCH", "/v1/webhooks/wh_1", fields);

/** The options that the use case was last asked to set. */
function asked(): WebhookOptionsChange | undefined {
  const request = app.calls.at(-1)?.args.at(-1) as { options?: WebhookOptionsChange };
  return request.options;
}

// integration/webhook-options.test.ts sets, shows and clears each option; here are the words of the two sides.
describe("the API's words", () => {
  test.each([
    ["long", "BUY"],
    ["short", "SELL"],
  ] as const)("call a side %s, the domain %s", async (allowedSide, inTheDomain) => {
    await create({ allowedSide });
    expect(asked()).toEqual({ allowedSide: inTheDomain });
    await change({ allowedSide });
    expect(asked()).toEqual({ allowedSide: inTheDomain });
    options = { allowedSide: inTheDomain };
    expect((await app.get("/v1/webhooks/wh_1")).body.allowedSide).toBe(allowedSide);
  });

  test.each([0.5, "0.5"])("keep the multiplier %j as text", async (multiplier) => {
    await create({ multiplier });
    expect(asked()).toEqual({ multiplier: "0.5" });
    await change({ multiplier });
    expect(asked()).toEqual({ multiplier: "0.5" });
  });
});

const many = (count: number) => Array.from({ length: count }, () => "MNQ");
const bigMap = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`R${n}`, "MNQ"]));

/** What is wrong in both, and the message of a change where it is another one. */
const WRONG: readonly (readonly [
  field: string,
  value: unknown,
  said: string,
  inChange?: string,
])[] = [
  ["profile", "ninja", "must be one of native, traderspost, crosstrade, pickmytrade, position"],
  ["defaultQty", 0, "must be at least 1"],
  ["defaultQty", 10_001, "must be at most 10000"],
  [
    "defaultQty",
    "2",
    "must be a whole number, not text",
    "must be a whole number or null, not text",
  ],
  ["multiplier", true, "must be a number or text", "must be a number or text or null"],
  ["symbolMap", [], "must be an object", "must be an object or null"],
  ["symbolMap", bigMap, "must have at most 50 entries"],
  ["symbolMap.NQ", { NQ: 1 }, "must be text"],
  ["allowedSymbols", [], "must not be empty"],
  ["allowedSymbols", "MNQ", "must be a list", "must be a list or null"],
  ["allowedSymbols", many(101), "must have at most 100 entries"],
  ["allowedSide", "both", "must be one of long, short"],
  ["allowedSenders", [], "must not be empty"],
  ["allowedSenders", many(51), "must have at most 50 entries"],
  ["entryMaxAgeSeconds", 3_601, "must be at most 3600"],
  ["exitMaxAgeSeconds", 86_401, "must be at most 86400"],
  ["duplicateWindowSeconds", -1, "must be at least 0"],
  ["duplicateWindowSeconds", 3_601, "must be at most 3600"],
  ["rateLimitPerMinute", 0, "must be at least 1"],
  ["rateLimitPerMinute", 1_000_001, "must be at most 1000000"],
];

describe("what is wrong is refused at its place", () => {
  test.each(WRONG)("%s of %j %s", async (path, value, message, inChange = message) => {
    const [field = ""] = String(path).split(".");
    const created = await create({ [field]: value });
    expect([created.status, created.body.error.details]).toEqual([400, [{ path, message }]]);
    const changed = await change({ [field]: value });
    expect(changed.status).toBe(400);
    expect(changed.body.error.details[0].path).toBe(path);
    // The words of a change may end in "null", which is right there too.
    expect(changed.body.error.details[0].message.replace(/, null$/, "")).toBe(inChange);
    expect(app.calls).toEqual([]);
  });

  test("all of it together", async () => {
    const { body } = await create({ defaultQty: 0, allowedSide: "up", profil: "native" });
    const paths = body.error.details.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(new Set(["allowedSide", "defaultQty", "profil"]));
  });

  test("null at creation, where it clears nothing", async () => {
    const { status, body } = await create({ defaultQty: null });
    expect([status, body.error.details[0].path]).toEqual([400, "defaultQty"]);
  });
});
