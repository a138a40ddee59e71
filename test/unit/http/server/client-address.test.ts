import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientAddress } from "../../../../src/http/server/client-address.ts";
import { createNetworks, plainAddress } from "../../../../src/trading/people/networks.ts";

const NOBODY = createNetworks([]);
const PROXIES = createNetworks(["loopback", "10.0.0.0/8", "2001:db8::/32"]);

describe("the client is", () => {
  test.each([
    ["the caller, without a proxy", "203.0.113.7", undefined, "203.0.113.7"],
    ["a caller that is no proxy, whatever it says", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["who called the proxy", "127.0.0.1", "203.0.113.7", "203.0.113.7"],
    [
      "who called the first of several proxies",
      "::1",
      "203.0.113.7, 10.0.0.2,10.0.0.3",
      "203.0.113.7",
    ],
    ["not who the client says it is", "127.0.0.1", "52.89.214.238, 203.0.113.7", "203.0.113.7"],
    [
      "not behind an unknown proxy",
      "127.0.0.1",
      "203.0.113.7, 198.51.100.1, 10.0.0.2",
      "198.51.100.1",
    ],
    [
      "the caller within IPv6 written as IPv4",
      "::ffff:10.0.0.1",
      "::ffff:203.0.113.7",
      "203.0.113.7",
    ],
    ["an IPv6 address in its short form", "127.0.0.1", "2001:DB9:0:0::1", "2001:db9::1"],
    ["read without its port", "127.0.0.1", "203.0.113.7:51234", "203.0.113.7"],
    ["read without its brackets", "127.0.0.1", "[2001:db9::1]:51234", "2001:db9::1"],
    ["the outermost proxy, when all are trusted", "127.0.0.1", "10.0.0.9, 10.0.0.2", "10.0.0.9"],
    [
      "the last one before an entry that cannot be read",
      "127.0.0.1",
      "203.0.113.7, unknown, 10.0.0.2",
      "10.0.0.2",
    ],
    ["the caller, when the list is empty", "127.0.0.1", "", "127.0.0.1"],
    ["the caller, when the list ends in nothing", "127.0.0.1", "203.0.113.7,", "127.0.0.1"],
    ["not known, when the connection is gone", undefined, "203.0.113.7", undefined],
  ])("%s", (_, remote, forwardedFor, client) => {
    expect(clientAddress(remote, forwardedFor, PROXIES)).toBe(client);
  });

  test("found over several headers, as over one", () => {
    const headers = ["52.89.214.238", "203.0.113.7, 10.0.0.2"];
    expect(clientAddress("127.0.0.1", headers, PROXIES)).toBe("203.0.113.7");
  });
});

const address = fc.oneof(fc.ipV4(), fc.ipV6());
const junk = fc.string({ maxLength: 40 }).map((text) => text.replaceAll(",", ""));
const entries = fc.array(fc.oneof(address, junk), { maxLength: 8 });

describe("however the header reads", () => {
  test("nobody is believed while nobody is trusted", () => {
    fc.assert(
      fc.property(address, entries, (remote, list) => {
        expect(clientAddress(remote, list.join(","), NOBODY)).toBe(plainAddress(remote));
      }),
    );
  });

  test("what stands left of the first address that is not trusted changes nothing", () => {
    const stranger = address.filter((text) => !PROXIES(text));
    const proxy = fc.ipV4().map((text) => `10.${text.split(".").slice(1).join(".")}`);
    fc.assert(
      fc.property(entries, stranger, fc.array(proxy, { maxLength: 4 }), (left, client, proxies) => {
        const list = [...left, client, ...proxies].join(", ");
        expect(clientAddress("127.0.0.1", list, PROXIES)).toBe(plainAddress(client));
      }),
    );
  });

  test("the client is one that the caller named or is, and everything right of it is trusted", () => {
    fc.assert(
      fc.property(entries, (list) => {
        const client = clientAddress("127.0.0.1", list.join(","), PROXIES) ?? "";
        const chain = [...list.map((entry) => plainAddress(entry.trim())), "127.0.0.1"];
        expect(chain).toContain(client);
        const passedOn = chain.slice(chain.lastIndexOf(client) + 1);
        expect(passedOn.filter((entry) => entry === undefined || !PROXIES(entry))).toEqual([]);
      }),
    );
  });
});
