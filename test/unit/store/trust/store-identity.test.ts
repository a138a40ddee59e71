// The goal: no store is taken for the one that was known, unless it says so itself.
// The method: what stores can say, against what can be remembered of one.
import { expect, test } from "vitest";
import {
  parseIdentity,
  refuseStore,
  type RememberedStore,
  STORE_FORMAT,
  type StoreFacts,
} from "../../../../src/store/trust/store-identity.ts";

const KNOWN = { id: "store-1", format: STORE_FORMAT };
const OTHER = { id: "store-2", format: STORE_FORMAT };
const NEWER = { id: "store-1", format: STORE_FORMAT + 1 };
const EMPTY: StoreFacts = { identity: undefined, isUsed: false };
const OLDER: StoreFacts = { identity: undefined, isUsed: true };
const of = (identity: typeof KNOWN): StoreFacts => ({ identity, isUsed: true });

test.each<[string, StoreFacts, RememberedStore]>([
  ["a new store at the first start", EMPTY, undefined],
  ["one from before stores had identities", OLDER, undefined],
  ["… beside a sealing key of that time", OLDER, "nameless"],
  ["the store that is known", of(KNOWN), KNOWN],
  ["a store that this folder is new to", of(KNOWN), undefined],
  ["… beside a sealing key", of(KNOWN), "nameless"],
])("%s is used", (_, facts, remembered) => {
  expect(refuseStore(facts, remembered)).toBeUndefined();
});

test.each<[string, StoreFacts, RememberedStore, RegExp]>([
  ["an emptied one", EMPTY, KNOWN, /is empty, and it was not before/],
  ["an empty one beside a sealing key", EMPTY, "nameless", /is empty, and it was not before/],
  ["another one", of(OTHER), KNOWN, /another store/],
  ["one that lost its identity", OLDER, KNOWN, /a part of it is gone/],
  ["one of a newer gateway", of(NEWER), undefined, /newer gateway/],
  ["… that is known", of(NEWER), KNOWN, /newer gateway/],
])("%s is refused", (_, facts, remembered, reason) => {
  expect(refuseStore(facts, remembered)).toMatch(reason);
});

test.each(["", "{}", '{"id":1,"format":1}', '{"id":"store-1"}', "null"])(
  "an identity that reads %j is nobody's",
  (text) => {
    expect(refuseStore(of(parseIdentity(text)), undefined)).toMatch(/newer gateway/);
    expect(refuseStore(of(KNOWN), parseIdentity(text))).toMatch(/another store/);
  },
);
