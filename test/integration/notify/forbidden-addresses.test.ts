// The goal: nobody reaches through a destination what only the gateway's machine can.
// The method: a server inside that counts every connection, and each way to its address that is known.
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type ChannelDeps, openChannels } from "../../../src/notify/open-channels.ts";
import type { OpenedSettings } from "../../../src/trading/notify/ports.ts";
import { eventOf, SECRET } from "../../conformance/channel-kit.ts";
import { HANGS_AFTER_MS } from "../../support/wait.ts";

const PRIVATE = /^The address lies in a private or reserved network/;
const PLAIN = /^The address must begin with https:/;
const signal = new AbortController().signal;

/** A public address at which nobody is ever asked here: each test ends before. */
const PUBLIC = { address: "8.8.8.8", family: 4 };
const INSIDE = { address: "127.0.0.1", family: 4 };

let port = 0;
let connections = 0;
let requests = 0;

beforeEach(async () => {
  [connections, requests] = [0, 0];
  const server = http.createServer((_, response) => {
    requests += 1;
    response.end("inside");
  });
  server.on("connection", () => (connections += 1));
  server.on("clientError", (_, socket) => socket.destroy());
  // Both families, so that each way that is not refused arrives.
  server.listen(0, "::");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  return () => {
    server.closeAllConnections();
    server.close();
  };
});

const open = (deps: Partial<ChannelDeps> = {}) =>
  openChannels({ privateNetworks: [], now: Date.now, limitMs: HANGS_AFTER_MS, ...deps });

async function post(url: string, deps: Partial<ChannelDeps> = {}) {
  const to: OpenedSettings = { kind: "webhook", settings: { url }, secrets: [SECRET] };
  const notice = { event: eventOf(), count: 1, isSilent: false };
  return await open(deps).channels.webhook.send(notice, to, { signal });
}

const refused = (reason: RegExp) => ({ kind: "failed", reason: expect.stringMatching(reason) });

/** Ways to write this machine: the server listens on all of them. */
const THIS_MACHINE = [
  "127.0.0.1",
  "127.1",
  "127.0.0.2",
  "2130706433",
  "0x7f.1",
  "0x7f000001",
  "0177.0.0.1",
  "0",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[::7f00:1]",
  "localhost",
  "LOCALHOST",
  "１２７.０.０.１",
  "127。0。0。1",
];

const ELSEWHERE_INSIDE = [
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "[::ffff:169.254.169.254]",
  "[fd00:ec2::254]",
  "168.63.129.16",
  "100.64.0.1",
  "100.100.100.200",
  "192.0.0.192",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "[fe80::1]",
  "[fc00::1]",
  "[fdff::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[2002:7f00:1::]",
  "[2002:a00:1::]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b::a9fe:a9fe]",
  "[2001:0:7f00:1::]",
  "[::a00:1]",
  "[4000::1]",
  "[1::1]",
  "[5f00::1]",
  "[::2:0:1]",
  "[::ffff:0:a00:1]",
  "[::ffff:ffff:a00:1]",
  "[::ffff:ffff:10.0.0.1]",
  "[2a00::5efe:7f00:1]",
  "[2a00::5efe:10.0.0.1]",
  "[2a00:1450:4001:80e:200:5efe:a9fe:a9fe]",
  "[2a00:1450:4001:80e:100:5efe:a00:1]",
  "[2a00::5efe:168.63.129.16]",
];

/** Nobody is asked here. */
const OUTSIDE = [
  "8.8.8.8",
  "[::ffff:8.8.8.8]",
  "[2a00:1450:4001:80e::200e]",
  "[2606:4700:4700::1111]",
  "[2a00::5efe:8.8.8.8]",
  "[2a00::1:5efe:7f00:1]",
  "[2a00::5eff:7f00:1]",
];

describe("an address is refused", () => {
  test.each(THIS_MACHINE)("https://%s", async (host) => {
    expect(await post(`https://${host}:${port}/`)).toEqual(refused(PRIVATE));
    expect(connections).toBe(0);
  });

  test.each(ELSEWHERE_INSIDE)("https://%s", async (host) => {
    // Only what is judged before anything is asked has this reason.
    expect(await post(`https://${host}/latest/meta-data`)).toEqual(refused(PRIVATE));
  });

  test.each(OUTSIDE)("but not https://%s", async (host) => {
    expect(await open().whyForbidden(`https://${host}/`)).toBeUndefined();
  });

  test.each([
    ["plain HTTP", "http://example.com/", PLAIN],
    ["plain HTTP to this machine", "http://127.0.0.1/", PLAIN],
    ["another protocol", "ftp://example.com/", PLAIN],
    ["a file", "file:///etc/passwd", PLAIN],
    ["no URL", "//127.0.0.1", /^The address is not a URL$/],
    ["a user", "https://user@example.com/", /user name or a password/],
    ["a password", "https://:word@example.com/", /user name or a password/],
    ["a host that hides behind a user", "https://example.com@127.0.0.1/", /user name/],
  ])("%s", async (_, url, reason) => {
    expect(await post(url)).toEqual(refused(reason));
    expect(await open().whyForbidden(url)).toMatch(reason);
  });

  test("a server of ntfy, a heartbeat, and a mail server likewise", async () => {
    const { channels } = open();
    const notice = { event: eventOf(), count: 1, isSilent: false };
    const secrets: readonly string[] = [];
    const server = `https://127.0.0.1:${port}`;
    const mail = { port, from: "a@example.com", to: "b@example.com" };
    const sent = [
      await channels.ntfy.send(
        notice,
        { kind: "ntfy", settings: { server, topic: "t" }, secrets },
        { signal },
      ),
      await channels.heartbeat.send(
        notice,
        { kind: "heartbeat", settings: { url: server }, secrets },
        { signal },
      ),
    ];
    for (const host of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "localhost", "0"]) {
      const settings = { ...mail, host };
      sent.push(
        await channels.email.send(notice, { kind: "email", settings, secrets }, { signal }),
      );
    }
    expect(sent).toEqual(sent.map(() => refused(PRIVATE)));
    expect(connections).toBe(0);
  });
});

describe("a name", () => {
  const NAME = "rebound.example";

  test("that was public when it was checked is refused when it is inside by then", async () => {
    const answers = [[PUBLIC], [INSIDE]];
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return answers.shift() ?? [INSIDE];
    };
    const { whyForbidden, channels } = open({ resolve });
    const url = `https://${NAME}:${port}/`;
    expect(await whyForbidden(url)).toBeUndefined();

    const to: OpenedSettings = { kind: "webhook", settings: { url }, secrets: [SECRET] };
    const notice = { event: eventOf(), count: 1, isSilent: false };
    expect(await channels.webhook.send(notice, to, { signal })).toEqual(refused(PRIVATE));
    expect(connections).toBe(0);
    // What was judged is what would have been connected to: nothing asks a second time.
    expect(asked).toEqual([NAME, NAME]);
  });

  test("arrives where its network is allowed: the server can be reached in this way", async () => {
    const resolve = async () => [INSIDE];
    const options = { resolve, privateNetworks: ["127.0.0.0/8"] };
    expect(await post(`http://${NAME}:${port}/`, options)).toMatchObject({ kind: "delivered" });
    expect([connections, requests]).toEqual([1, 1]);
    await post(`https://${NAME}:${port}/`, options);
    expect(connections).toBe(2);
  });

  test("of mail, likewise", async () => {
    const answers = [[PUBLIC], [INSIDE]];
    const { channels, whyRefused } = open({ resolve: async () => answers.shift() ?? [] });
    const settings = { host: NAME, port, from: "a@example.com", to: "b@example.com" };
    const to: OpenedSettings = { kind: "email", settings, secrets: [] };
    expect(await whyRefused(to)).toBeUndefined();
    const notice = { event: eventOf(), count: 1, isSilent: false };
    expect(await channels.email.send(notice, to, { signal })).toEqual(refused(PRIVATE));
    expect(connections).toBe(0);
  });

  test.each([
    ["public and inside", [PUBLIC, INSIDE]],
    ["inside and public", [INSIDE, PUBLIC]],
    ["of both families", [PUBLIC, { address: "::1", family: 6 }]],
    ["in disguise", [{ address: "::ffff:127.0.0.1", family: 6 }]],
    ["with a zone", [{ address: "fe80::1%lo", family: 6 }]],
  ])("with addresses %s is refused", async (_, addresses) => {
    const resolve = async () => addresses;
    expect(await post(`https://${NAME}:${port}/`, { resolve })).toEqual(refused(PRIVATE));
    expect(await open({ resolve }).whyForbidden(`https://${NAME}/`)).toMatch(PRIVATE);
    expect(connections).toBe(0);
  });

  test("that there is not is refused with words; a resolver that is out of order refuses nothing", async () => {
    const failing = (code: string) => async () => {
      throw Object.assign(new Error(`getaddrinfo ${code} ${NAME}`), { code });
    };
    const why = async (code: string) =>
      await open({ resolve: failing(code) }).whyForbidden(`https://${NAME}/`);
    expect(await why("ENOTFOUND")).toBe("The name of the address is not known");
    expect(await why("EAI_AGAIN")).toBeUndefined();
    const answer = await post(`https://${NAME}/`, { resolve: failing("EAI_AGAIN") });
    expect(answer).toEqual({ kind: "failed", reason: "The name was not resolved (EAI_AGAIN)" });
  });

  test("without any address is a failure", async () => {
    const answer = await post(`https://${NAME}/`, { resolve: async () => [] });
    expect(answer).toEqual({ kind: "failed", reason: "The name was not resolved (ENOTFOUND)" });
  });
});

describe("a way round", () => {
  test.each([301, 302, 303, 307, 308])("by a redirect (%i) is not taken", async (status) => {
    const outside = http.createServer((_, response) => {
      response.writeHead(status, { location: `http://127.0.0.2:${port}/` }).end();
    });
    outside.listen(0, "127.0.0.1");
    await once(outside, "listening");
    onTestFinished(() => void outside.close());
    const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
    // Even where what it leads to would be allowed.
    for (const network of ["127.0.0.1", "127.0.0.0/8"]) {
      expect(await post(url, { privateNetworks: [network] })).toMatchObject({
        kind: "failed",
        reason: `It answered with a redirect (${status})`,
      });
    }
    expect(connections).toBe(0);
  });

  test("by a connection that somebody else keeps open is not taken", async () => {
    const agent = http.globalAgent;
    const url = `http://kept.example:${port}/`;
    const lookup: LookupFunction = (_, options, done) => {
      if (options.all) done(null, [INSIDE]);
      else done(null, INSIDE.address, INSIDE.family);
    };
    const [answer] = (await once(http.get(url, { agent, lookup }), "response")) as [
      http.IncomingMessage,
    ];
    answer.resume();
    await once(answer, "end");
    onTestFinished(() => agent.destroy());

    const options = { resolve: async () => [INSIDE], privateNetworks: ["10.0.0.0/8"] };
    expect(await post(url, options)).toEqual(refused(PLAIN));
    expect([connections, requests]).toEqual([1, 1]);
  });

  test("by a connection of our own is not there: none is kept", async () => {
    const { channels } = open({ privateNetworks: ["127.0.0.1"] });
    const settings = { url: `http://127.0.0.1:${port}/` };
    const to: OpenedSettings = { kind: "webhook", settings, secrets: [SECRET] };
    const notice = { event: eventOf(), count: 1, isSilent: false };
    for (let n = 0; n < 3; n += 1) await channels.webhook.send(notice, to, { signal });
    expect([connections, requests]).toEqual([3, 3]);
  });
});

describe("a network that is allowed", () => {
  test.each([
    [["127.0.0.1"], "http://127.0.0.1", true],
    [["127.0.0.1"], "http://[::ffff:127.0.0.1]", true],
    [["::ffff:127.0.0.1"], "http://127.0.0.1", true],
    [["127.0.0.1"], "http://127.0.0.2", false],
    [["127.0.0.0/8", "::1"], "http://[::1]", true],
    [["10.0.0.0/8"], "http://127.0.0.1", false],
    [["::/0"], "http://127.0.0.1", false],
    [["::1"], "http://127.0.0.1", false],
    [["::ffff:127.0.0.0/104"], "http://127.0.0.1", true],
    [["::ffff:127.0.0.1/128"], "http://127.0.0.2", false],
    [["::ffff:10.0.0.0/104"], "http://127.0.0.1", false],
    [["::ffff:0:0/96"], "http://[::1]", false],
  ])("%j and %s", async (privateNetworks, origin, isAllowed) => {
    const answer = await post(`${origin}:${port}/`, { privateNetworks });
    expect(answer.kind).toBe(isAllowed ? "delivered" : "failed");
    expect(requests).toBe(isAllowed ? 1 : 0);
  });

  test("lets nothing else go without TLS", async () => {
    const resolve = async () => [PUBLIC];
    const options = { resolve, privateNetworks: ["10.0.0.0/8"] };
    expect(await post("http://example.com/", options)).toEqual(refused(PLAIN));
    expect(await open(options).whyForbidden("http://example.com/")).toMatch(PLAIN);
    expect(await open(options).whyForbidden("https://example.com/")).toBeUndefined();
  });
});

describe("a service's own address", () => {
  const hooks = {
    discord: "/api/webhooks/123/token-of_it",
    slack: "/services/T0/B0/token",
  } as const;

  test.each([
    ["discord", "https://discord.com"],
    ["discord", "https://discordapp.com"],
    ["discord", "https://ptb.discord.com"],
    ["discord", "https://canary.discord.com"],
    ["discord", "https://discord.com/api/v10/webhooks/123/token-of_it?ignored="],
    ["slack", "https://hooks.slack.com"],
  ] as const)("of %s: %s is taken", async (kind, origin) => {
    const url = origin.includes("/api/") ? origin : `${origin}${hooks[kind]}`;
    expect(await open().whyRefused({ kind, settings: { url } })).toBeUndefined();
  });

  test.each([
    ["discord", "https://127.0.0.1"],
    ["discord", "https://discord.com.example"],
    ["discord", "https://example.com#discord.com"],
    ["discord", "https://discord.com@example.com"],
    ["discord", "https://user@discord.com"],
    ["discord", "https://discord.com:8443"],
    ["discord", "http://discord.com"],
    ["discord", "https://discord.com."],
    ["discord", "https://discord.com/x"],
    ["discord", "https://discord.com/api/webhooks/../oauth2"],
    ["slack", "https://slack.com"],
    ["slack", "https://hooks.slack.com.example"],
    ["slack", "no address"],
  ] as const)("of %s: %s is refused, and nothing is sent", async (kind, origin) => {
    const url = `${origin}${hooks[kind]}`;
    const to: OpenedSettings = { kind, settings: { url }, secrets: [] };
    const resolve = async () => {
      throw new Error("Nobody is asked");
    };
    const { channels, whyRefused } = open({ resolve });
    const notice = { event: eventOf(), count: 1, isSilent: false };
    const reason = expect.stringMatching(/^The address must be one of a (Discord|Slack) webhook$/);
    expect(await channels[kind].send(notice, to, { signal })).toEqual({
      kind: "unacceptable",
      reason,
    });
    expect(await whyRefused(to)).toEqual(reason);
  });
});
