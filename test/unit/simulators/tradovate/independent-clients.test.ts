import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClient, type TestSocket } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

describe("what is only read", () => {
  let socket: TestSocket;
  beforeEach(async () => {
    socket = await client.connect();
    // The official examples print a missing query and a missing body into the frame.
    socket.send(`authorize\n0\nundefined\n"${client.token}"`);
    await socket.answerOf(0);
  });

  test.each([
    ["example-api-js", "account/list", "undefined", "undefined"],
    ["a client in Go", "account/list", "", "null\n"],
    ["example-api-faq", "/Account/List", "", "undefined"],
    ["example-api-csharp-trading", "contract/find", "name=ESZ6", ""],
    ["npm tradovate", "contract/find", "name=ESZ6", "undefined"],
    ["whoever renews by socket", "auth/renewaccesstoken", "", "undefined"],
    ["whoever asks who he is", "auth/me", "undefined", "undefined"],
  ])("takes the query and the body of %s", async (_who, endpoint, query, body) => {
    expect((await socket.ask(endpoint, body, query)).s).toBe(200);
  });

  test("may have a body by REST, too", async () => {
    const asked = request(`${client.url}/account/list`, {
      method: "GET",
      headers: { authorization: `Bearer ${client.token}`, "content-length": 4 },
    });
    asked.end("null");
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(await text(answer))).toHaveLength(2);
  });

  test("is not taken for a command: that one needs its body", async () => {
    expect((await socket.ask("order/placeorder", "undefined")).s).toBe(400);
    expect((await socket.ask("user/syncrequest", "undefined")).s).toBe(400);
  });

  test.each(["tradingPermission", "currencyRate", "userAccountPositionLimit", "cashBalanceLog"])(
    "is an empty list where nobody has any: %s",
    async (type) => {
      expect(await client.list(type)).toEqual([]);
      expect((await client.request("GET", `${type}/item?id=1`)).status).toBe(404);
    },
  );
});
