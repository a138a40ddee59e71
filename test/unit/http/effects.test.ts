import { describe, expect, test } from "vitest";
import { credentialId, userId } from "../../../src/domain/ids.ts";
import { BrokerReadError } from "../../../src/trading/ports.ts";
import { firstStep } from "../../../src/trading/public-error.ts";
import type { AnyRoute } from "../../../src/http/route.ts";
import { admitted, NOW, routes, startApp } from "./http-kit.ts";
import { StoreError } from "../../../src/trading/store-error.ts";

const session = {
  id: credentialId("sess_1"),
  userId: userId("u_1"),
  signedInAt: NOW,
  confirmedAt: NOW,
  lastUsedAt: NOW,
  endsAt: NOW + 43_200_000,
};
const HEADERS = {
  cookie: `__Host-session=gws_${"a".repeat(43)}`,
  "sec-fetch-site": "same-origin",
  "content-type": "application/json",
};

const lostAnswer = new StoreError("Redis: lost", { certainlyNotWritten: false });
const neverWritten = new StoreError("Redis: refused", { certainlyNotWritten: true });
const unreadBroker = new BrokerReadError("unread");

/** Asks every one of these routes as a person would, while every use case fails in that way. */
async function askAll(asked: readonly AnyRoute[], failure: Error) {
  const app = await startApp({
    admitSession: async () => admitted(session),
    otherwise: async () => await Promise.reject(failure),
  });
  return await Promise.all(
    asked.map(async (route) => {
      const query = route.id === "discardUndelivered" ? "?all=true" : "";
      const path = route.path.replaceAll(/\{\w+\}/g, (name) =>
        name === "{token}" ? "token" : "1",
      );
      const [body] = "bodyExamples" in route ? Object.values(route.bodyExamples ?? {}) : [];
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const reply = await app.request(route.method, `${path}${query}`, {
        headers: HEADERS,
        ...init,
      });
      const { status, body: answer } = reply;
      return [route.id, status, answer.error.code, answer.error.retry] as const;
    }),
  );
}

const changes = routes.filter(({ effect }) => effect === "change");
/** What they answer is part of the program: nobody is asked. */
const FIXED = ["listGuardPresets", "readGuardPreset", "listContracts"];
const reads = routes.filter(
  ({ effect, kind, id }) => effect === "read" && kind !== "open" && !FIXED.includes(id),
);
const unknownFor = ({ id, kind }: AnyRoute) =>
  kind === "hook"
    ? [id, 504, "ACCEPTANCE_UNKNOWN", "check-first"]
    : [id, 500, "INTERNAL_ERROR", "check-first"];

describe("a use case that fails in a way that it does not explain", () => {
  test.each([
    ["an answer of the store that was lost", lostAnswer],
    ["a later step that wrote nothing", neverWritten],
    ["a reading of the broker", unreadBroker],
  ])("%s: no change is called safe to repeat", async (_what, failure) => {
    expect(changes.length).toBeGreaterThan(30);
    expect(await askAll(changes, failure)).toEqual(changes.map(unknownFor));
  });

  test("what only reads may be asked again", async () => {
    const told = await askAll(reads, lostAnswer);
    // The path is not in our memory where the id is none of ours.
    const others = told.filter(([, status]) => status !== 503 && status !== 404);
    expect(others).toEqual([]);
    expect(told).toContainEqual(["listAccounts", 503, "STORE_UNAVAILABLE", "safe"]);
    const [unread] = await askAll(reads.slice(0, 1), unreadBroker);
    expect(unread?.slice(1)).toEqual([503, "BROKER_UNAVAILABLE", "safe"]);
  });
});

describe("the effect of a route", () => {
  test("is read for each GET", () => {
    expect(routes.filter(({ method, effect }) => method === "GET" && effect !== "read")).toEqual(
      [],
    );
  });

  test("is change for each that needs more than a scope to read", () => {
    const wrong = routes.filter(
      (route) => "scope" in route && route.scope !== "read" && route.scope !== "notify",
    );
    expect(wrong.filter(({ effect }) => effect !== "change").map(({ id }) => id)).toEqual([]);
  });
});

test("the ways out have a reserve, and nothing else has", () => {
  const reserved = routes.filter((route) => "reserve" in route);
  expect(reserved.map(({ id }) => id)).toEqual([
    "postAlert",
    "cancelOrder",
    "protectPosition",
    "flattenAccount",
    "changeKillSwitch",
    "lockAccount",
    "flattenGroup",
  ]);
});

describe("an audited change", () => {
  test("is told by whom, of what, and only once it was made", async () => {
    const limits = {
      maxOrderQty: 1,
      maxPositionQty: 1,
      maxOrdersPerMinute: 1,
      entriesWithoutCancel: false,
    };
    let isDown = true;
    const app = await startApp({
      gateway: {
        changeLimits: async () => {
          if (isDown) throw lostAnswer;
          return limits;
        },
      },
    });
    const change = async () => await app.send("PUT", "/v1/accounts/paper-1/limits", limits);
    const told = () => app.seen.filter(({ name }) => name === "changeMade");
    expect((await change()).status).toBe(500);
    expect(told()).toEqual([]);
    isDown = false;
    expect((await change()).body).toEqual(limits);
    expect(told()).toMatchObject([
      {
        value: {
          message: "Limits changed",
          userId: "u_1",
          credentialId: "key_1",
          accountId: "paper-1",
        },
      },
    ]);
  });
});

describe("the first step of a change", () => {
  const failing = (error: Error) => async () => await Promise.reject(error);

  test("that only reads has changed nothing when it fails", async () => {
    await expect(firstStep("reads", failing(lostAnswer))).rejects.toMatchObject({
      name: "STORE_UNAVAILABLE",
    });
    await expect(firstStep("reads", failing(unreadBroker))).rejects.toMatchObject({
      name: "BROKER_UNAVAILABLE",
    });
  });

  test("that writes has so only where it certainly wrote nothing", async () => {
    await expect(firstStep("writes", failing(neverWritten))).rejects.toMatchObject({
      name: "STORE_UNAVAILABLE",
    });
    await expect(firstStep("writes", failing(lostAnswer))).rejects.toBe(lostAnswer);
  });
});
