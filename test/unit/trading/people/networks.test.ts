import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createNetworks,
  isAllowedSender,
  isNetwork,
  plainAddress,
  TRADINGVIEW_SENDERS,
} from "../../../../src/trading/people/networks.ts";

const address = fc.oneof(fc.ipV4(), fc.ipV6());

describe("an address has one form", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:CB00:7107", "203.0.113.7"],
    ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
    // Not the part of IPv6 that stands for IPv4.
    ["::203.0.113.7", "::203.0.113.7"],
    ["fe80::1%eth0", "fe80::1"],
  ])("%s is %s", (text, plain) => {
    expect(plainAddress(text)).toBe(plain);
  });

  test.each([
    "",
    "localhost",
    "203.0.113",
    "203.0.113.256",
    "203.0.113.07",
    " 203.0.113.7",
    "203.0.113.7:80",
    "203.0.113.7%eth0",
    "[::1]",
    "1::2::3",
    "unknown",
  ])("%j has none", (text) => {
    expect(plainAddress(text)).toBeUndefined();
  });

  test("that is the form of itself", () => {
    fc.assert(
      fc.property(address, (text) => {
        const plain = plainAddress(text) ?? "";
        expect(plainAddress(plain)).toBe(plain);
      }),
    );
  });
});

describe("a network", () => {
  test.each([
    "203.0.113.7",
    "203.0.113.0/24",
    "203.0.113.7/24",
    "0.0.0.0/0",
    "2001:db8::/32",
    "::1/128",
    "::ffff:203.0.113.0/120",
  ])("may be written as %s", (text) => {
    expect(isNetwork(text)).toBe(true);
  });

  test.each([
    "",
    "/24",
    "203.0.113.0/",
    "203.0.113.0/33",
    "203.0.113.0/024",
    "203.0.113.0/-1",
    "203.0.113.0/24/8",
    "2001:db8::/129",
    "::ffff:203.0.113.0/24",
    "fe80::1%eth0/64",
    "203.0.113.*",
    "tradingview",
    "example.com",
  ])("may not be written as %j", (text) => {
    expect(isNetwork(text)).toBe(false);
  });
});

describe("networks hold", () => {
  test.each([
    ["203.0.113.0/24", "203.0.113.255", true],
    ["203.0.113.0/24", "203.0.114.0", false],
    ["203.0.113.0/24", "::ffff:203.0.113.9", true],
    ["::ffff:203.0.113.0/120", "203.0.113.9", true],
    ["::ffff:203.0.113.0/120", "203.0.114.9", false],
    ["2001:db8::/32", "2001:db8:ffff::1", true],
    ["2001:db8::/32", "2001:db9::1", false],
    // Each family has its own whole.
    ["::/0", "203.0.113.7", false],
    ["::/0", "::ffff:203.0.113.7", false],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["loopback", "127.8.9.10", true],
    ["loopback", "::1", true],
    ["loopback", "::ffff:127.0.0.1", true],
    ["loopback", "128.0.0.1", false],
    ["203.0.113.0/24", "not an address", false],
  ])("of %s the address %s: %s", (network, asked, held) => {
    expect(createNetworks([network])(asked)).toBe(held);
  });

  test("exactly the addresses that share the network's bits", () => {
    const bits = (text: string) =>
      text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.ipV4(),
        fc.integer({ min: 0, max: 32 }),
        // A few bits apart, so that both answers come up for every length.
        fc.integer({ min: 0, max: 32 }),
        (base, other, length, apart) => {
          const near = bits(base) ^ (bits(other) >> BigInt(apart));
          const asked = [24n, 16n, 8n, 0n].map((shift) => (near >> shift) & 255n).join(".");
          const left = BigInt(32 - length);
          const expected = bits(base) >> left === near >> left;
          expect(createNetworks([`${base}/${length}`])(asked)).toBe(expected);
        },
      ),
    );
  });

  test("no address when there are none", () => {
    fc.assert(
      fc.property(address, (text) => {
        expect(createNetworks([])(text)).toBe(false);
      }),
    );
  });

  test("nothing of a list that cannot be read whole", () => {
    expect(() => createNetworks(["203.0.113.7", "203.0.113"])).toThrow('"203.0.113" is neither');
  });
});

describe("a sender is allowed", () => {
  test("from everywhere, when the webhook has no list", () => {
    expect(isAllowedSender("203.0.113.7", undefined)).toBe(true);
    expect(isAllowedSender(undefined, undefined)).toBe(true);
  });

  test("from nowhere but its list, and never from an unknown address", () => {
    const allowed = ["203.0.113.0/24", "tradingview"];
    expect(isAllowedSender("203.0.113.7", allowed)).toBe(true);
    expect(isAllowedSender("198.51.100.7", allowed)).toBe(false);
    expect(isAllowedSender(undefined, allowed)).toBe(false);
    for (const sender of TRADINGVIEW_SENDERS) expect(isAllowedSender(sender, allowed)).toBe(true);
    for (const sender of TRADINGVIEW_SENDERS) {
      expect(isAllowedSender(sender, ["203.0.113.0/24"])).toBe(false);
    }
  });

  test("by each webhook's own list, asked in turn", () => {
    fc.assert(
      fc.property(fc.uniqueArray(address, { minLength: 2, maxLength: 6 }), (senders) => {
        const plain = senders.map(plainAddress);
        for (const [n, sender] of senders.entries()) {
          const allowed = senders.map((other) => isAllowedSender(sender, [other]));
          expect(allowed).toEqual(plain.map((other) => other === plain[n]));
        }
      }),
    );
  });
});
