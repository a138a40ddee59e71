import { describe, expect, test } from "vitest";
import { toProblems } from "../../../src/http/requests/problems.ts";
import { createBrokerCatalog } from "../../../src/brokers/broker-catalog.ts";
import { BROKER_KINDS } from "../../../src/brokers/broker-kinds.ts";

const catalog = createBrokerCatalog(BROKER_KINDS, { ALLOW_LOCAL_BROKERS: false }, toProblems);
const besideSimulators = createBrokerCatalog(
  BROKER_KINDS,
  { ALLOW_LOCAL_BROKERS: true },
  toProblems,
);
const RIGHT = { name: "joe", password: "hunter2", cid: "8", sec: "s3cret" };
const pathsOf = (settings: object, kept: readonly string[] = []) =>
  catalog.check("tradovate", { ...settings }, kept).map(({ path }) => path);

test.each(Object.entries(BROKER_KINDS))(
  "the secrets of %s are texts of its settings",
  (_, kind) => {
    const types = kind.secrets.map((field) => kind.settings.properties[field]?.["type"] as unknown);
    expect(types).toEqual(kind.secrets.map(() => "string"));
  },
);

test.each(Object.entries(BROKER_KINDS))("the settings of %s are flat, and no others", (_, kind) => {
  expect(kind.settings["additionalProperties"]).toBe(false);
  expect(Object.keys(kind.settings.properties)).not.toContain("environment");
  for (const property of Object.values(kind.settings.properties)) {
    expect(["string", "integer", "number", "boolean"]).toContain(property["type"]);
  }
});

test.each(Object.entries(BROKER_KINDS))(
  "%s names each setting that says where secrets go",
  (broker, kind) => {
    const places = Object.keys(kind.settings.properties).filter((field) =>
      /url|host|server|address|firm/i.test(field),
    );
    expect(besideSimulators.placesOf(broker).toSorted()).toEqual(places.toSorted());
  },
);

describe("settings of Tradovate", () => {
  test("that are right are taken, with the defaults of what was left out", () => {
    expect(catalog.check("tradovate", RIGHT, [])).toEqual([]);
    expect(catalog.withDefaults("tradovate", RIGHT)).toMatchObject({ appId: "alert-gateway" });
    expect(RIGHT).not.toHaveProperty("appId");
  });

  test.each([
    ["without what is needed", { name: "joe", cid: "8" }, ["settings.password", "settings.sec"]],
    ["of another type", { ...RIGHT, cid: 8 }, ["settings.cid"]],
    ["nobody knows", { ...RIGHT, colour: "red" }, ["settings.colour"]],
    ["with the environment", { ...RIGHT, environment: "live" }, ["settings.environment"]],
    ["for elsewhere", { ...RIGHT, restUrl: "http://x.example/v1" }, ["settings.restUrl"]],
  ])("%s are refused at their place", (_, settings, paths) => {
    expect(pathsOf(settings).toSorted()).toEqual(paths);
  });

  test.each([
    "127.0.0.1",
    "localhost",
    "[::1]",
    "a.localhost",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0.0.0.0",
    "[::]",
    "[::ffff:127.0.0.1]",
    "10.0.0.1",
    "169.254.169.254",
    "[fe80::1]",
    "broker.example",
  ])("name no address, also not %s", (host) => {
    const settings = { ...RIGHT, restUrl: `http://${host}:1/v1`, wsUrl: `ws://${host}:1/v1` };
    const needed = "is for simulators on the gateway's machine, and needs ALLOW_LOCAL_BROKERS=true";
    expect(catalog.check("tradovate", settings, [])).toEqual([
      { path: "settings.restUrl", message: needed },
      { path: "settings.wsUrl", message: needed },
    ]);
    const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(host);
    expect(besideSimulators.check("tradovate", settings, [])).toHaveLength(isHere ? 0 : 2);
  });

  test("need not repeat a secret that is kept", () => {
    const { password: _, ...rest } = RIGHT;
    expect(pathsOf(rest)).toEqual(["settings.password"]);
    expect(pathsOf(rest, ["password"])).toEqual([]);
    expect(pathsOf({ ...rest, name: "" }, ["password"])).toEqual(["settings.name"]);
  });

  test("name no value in what is wrong with them", () => {
    const problems = catalog.check("tradovate", { ...RIGHT, password: "", sec: 12_345 }, []);
    expect(problems).toHaveLength(2);
    expect(JSON.stringify(problems)).not.toContain("12345");
  });
});

test.each(Object.entries(BROKER_KINDS))(
  "what to know of %s is said by somebody, and dated",
  (_, { environments, notices }) => {
    expect(environments.length).toBeGreaterThan(0);
    for (const { text, source, asOf } of notices) {
      expect([text, source]).not.toContainEqual(expect.stringMatching(/^$|\.$/));
      expect(new Date(asOf).toISOString().slice(0, 10)).toBe(asOf);
    }
  },
);

test("a setting that takes few values is offered with them, and names them in its refusal", () => {
  const projectX = catalog.offers().find(({ broker }) => broker === "projectx");
  const firm = projectX?.fields.find(({ name }) => name === "firm");
  expect(firm).toMatchObject({ type: "text", required: true, secret: false });
  expect(firm?.options?.[0]).toEqual({ value: "topstep", label: "Topstep (TopstepX)" });
  const given = { firm: "acme", userName: "joe", apiKey: "key" };
  expect(catalog.check("projectx", given, [])).toEqual([
    {
      path: "settings.firm",
      message: expect.stringMatching(/^must be one of topstep, theFuturesDesk, /) as string,
    },
  ]);
  const others = catalog
    .offers()
    .flatMap(({ fields }) => fields.filter(({ name }) => name !== "firm"));
  expect(others.filter((field) => field.options !== undefined)).toEqual([]);
});

test("what Topstep forbids is said where a connection is added", () => {
  const projectX = catalog.offers().find(({ broker }) => broker === "projectx");
  const told = projectX?.notices.map(({ text }) => text).join("\n") ?? "";
  for (const word of ["VPS", "VPN", "remote server", "nobody watches", "Live Funded Account"]) {
    expect(told).toContain(word);
  }
  expect(projectX?.environments).toEqual(["live"]);
});

test.each(Object.entries(BROKER_KINDS))(
  "the login of %s is told by settings in sight",
  (_, kind) => {
    expect(kind.login.length).toBeGreaterThan(0);
    expect(Object.keys(kind.settings.properties)).toEqual(expect.arrayContaining([...kind.login]));
    expect(kind.login.filter((field) => kind.secrets.includes(field))).toEqual([]);
  },
);

test.each([
  ["a slash at the end", { restUrl: "http://127.0.0.1:7100/v1/" }],
  ["another name of this machine", { restUrl: "http://LOCALHOST:7100/v1" }],
  ["another of its addresses", { restUrl: "http://[::1]:7100/v1" }],
  ["a space", { name: "joe " }],
])("a login written with %s is the same login", (_, written) => {
  const known = { name: "joe", restUrl: "http://127.0.0.1:7100/v1" };
  const loginOf = (settings: object) => catalog.loginOf("tradovate", { ...known, ...settings });
  expect(loginOf(written)).toEqual(loginOf({}));
  expect(loginOf({ name: "jo" })).not.toEqual(loginOf({}));
  expect(loginOf({ restUrl: "http://127.0.0.1:7101/v1" })).not.toEqual(loginOf({}));
});

test("a port that goes without saying tells no login from another", () => {
  const loginAt = (restUrl: string) => catalog.loginOf("tradovate", { name: "joe", restUrl });
  expect(loginAt("http://localhost:80/v1")).toEqual(loginAt("http://localhost/v1"));
});

test("a broker that is not here is said to be none", () => {
  expect(catalog.check("acme", {}, [])).toEqual([
    { path: "broker", message: "is no broker of this gateway" },
  ]);
  expect([catalog.secretsOf("acme"), catalog.kindOf("acme")]).toEqual([[], undefined]);
});

describe("what is offered", () => {
  const offers = catalog.offers();

  test("is every broker of this gateway, by its own name", () => {
    expect(offers.map(({ broker }) => broker)).toEqual(Object.keys(BROKER_KINDS));
    expect(offers.map(({ broker, label }) => label === broker)).not.toContain(true);
  });

  test.each(offers)("says of $broker what each field is for", ({ fields }) => {
    const unlabelled = fields.filter(({ name, label }) => label === "" || label === name);
    const unexplained = fields.filter(({ description = "" }) => description === "");
    expect([unlabelled, unexplained]).toEqual([[], []]);
  });

  test("has no address on this machine but where simulators are allowed", () => {
    const named = (all: typeof offers) =>
      all.flatMap(({ fields }) => fields.map(({ name }) => name));
    expect(named(offers)).not.toEqual(expect.arrayContaining(["restUrl"]));
    expect(named(besideSimulators.offers())).toEqual(expect.arrayContaining(["restUrl", "wsUrl"]));
  });

  test("is taken as soon as every required field is filled in", () => {
    const [tradovate] = offers.filter(({ broker }) => broker === "tradovate");
    const required = tradovate?.fields.filter((field) => field.required) ?? [];
    const settings = Object.fromEntries(required.map(({ name }) => [name, "8"]));
    expect(catalog.check("tradovate", settings, [])).toEqual([]);
    for (const { name } of required) {
      const { [name]: _, ...rest } = settings;
      expect(catalog.check("tradovate", rest, [])).toMatchObject([{ path: `settings.${name}` }]);
    }
  });

  test("never shows a secret's default", () => {
    const secrets = offers.flatMap(({ fields }) => fields.filter(({ secret }) => secret));
    expect(secrets.length).toBeGreaterThan(0);
    expect(secrets.filter((field) => field.default !== undefined)).toEqual([]);
  });
});
