import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RestClient } from "../../../../src/brokers/projectx/rest-client.ts";

let server: Server;
let client: RestClient;
let heard: string[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  heard = [];
  answer = (_, response) => response.end('{"success":true}');
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      heard.push(`${request.url} ${request.headers.authorization} ${body}`);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  client = new RestClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterEach(async () => {
  client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const post = (more: object = {}) =>
  client.post({ path: "api/Order/place", body: { size: 1 }, token: "t", ...more });

describe("a request", () => {
  test("is answered with status and data", async () => {
    expect(await post()).toEqual({ kind: "answered", status: 200, data: { success: true } });
    expect(heard).toEqual(['/api/Order/place Bearer t {"size":1}']);
  });

  test("is answered by what is no JSON too", async () => {
    answer = (_, response) => response.writeHead(502).end("<html>");
    expect(await post()).toEqual({ kind: "answered", status: 502, data: undefined });
  });

  test("was not sent where nobody listens", async () => {
    await new Promise((resolve) => server.close(resolve));
    expect(await post()).toMatchObject({
      kind: "notSent",
      reason: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  test("is unknown where the link drops before the answer, or in it", async () => {
    answer = (request) => request.socket.destroy();
    expect((await post()).kind).toBe("unknown");
    answer = (request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("{");
      setImmediate(() => request.socket.destroy());
    };
    expect((await post()).kind).toBe("unknown");
    expect(heard).toHaveLength(2);
  });

  test("whoever may not write sends nothing, over a new connection and a used one", async () => {
    const mayWrite = () => false;
    expect(await post({ mayWrite })).toMatchObject({
      kind: "notSent",
      reason: expect.stringMatching(/not allowed/),
    });
    await post();
    expect((await post({ mayWrite })).kind).toBe("notSent");
    expect(heard).toHaveLength(1);
  });

  test("is given up when its session ends", async () => {
    const ended = new AbortController();
    answer = () => ended.abort();
    expect((await post({ signal: ended.signal })).kind).toBe("unknown");
    expect((await post({ signal: ended.signal })).kind).toBe("notSent");
    expect(heard).toHaveLength(1);
  });

  test("follows nobody to another place", async () => {
    answer = (_, response) => response.writeHead(307, { location: "/api/other" }).end();
    expect(await post()).toMatchObject({ kind: "answered", status: 307 });
    expect(heard).toHaveLength(1);
  });
});
