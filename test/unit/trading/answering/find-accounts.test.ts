import { expect, test } from "vitest";
import { connectionId } from "../../../../src/domain/ids.ts";
import { findAccount, findAccounts } from "../../../../src/trading/answering/find-accounts.ts";
import type { ConnectionView } from "../../../../src/trading/connections/connection-uses.ts";
import { account } from "./answers-kit.ts";

const OWN = [
  account("paper-1", { name: "Main" }),
  account("DEMO1234567", { name: "DEMO1234567", connectionId: connectionId("tv-1") }),
  account("DEMO7654321", { name: "DEMO7654321", connectionId: connectionId("tv-1") }),
  account("x-1", { name: "Twin", number: "99887766" }),
  account("x-2", { name: "twin" }),
];
const TRADOVATE: ConnectionView = {
  connectionId: connectionId("tv-1"),
  broker: "tradovate",
  environment: "demo",
  status: "CONNECTED",
  since: 1,
  setup: { name: "Prop", paused: false, settings: {}, secrets: {} },
};

test.each([
  ["paper-1", ["paper-1"]],
  ["main", ["paper-1"]],
  ["demo1234567", ["DEMO1234567"]],
  ["4567", ["DEMO1234567"]],
  ["…4321", ["DEMO7654321"]],
  ["7766", ["x-1"]],
  ["x-2", ["x-2"]],
])("%s is %s", (written, ids) => {
  const found = findAccount(written, OWN);
  expect(found.kind === "found" && found.accounts.map(({ accountId }) => accountId)).toEqual(ids);
});

test.each(["", "567", "twin", "nobody", "…", "DEMO"])("%j is unclear", (written) => {
  expect(findAccount(written, OWN).kind).toBe("unclear");
});

test.each([
  ["Prop", 2],
  ["tv-1", 2],
  ["main", 1],
])("%s names %i accounts", (written, count) => {
  const found = findAccounts(written, OWN, [TRADOVATE]);
  expect(found.kind === "found" && found.accounts).toHaveLength(count);
});

test.each([
  ["topstep …4711", "t-1"],
  ["Main (live)", "m-1"],
  ["main (demo) #2", "m-3"],
])("what is shown, %s, is accepted back", (written, id) => {
  const own = [
    account("t-1", { name: "Topstep 50KTC1234711", number: "50KTC1234711" }),
    account("t-2", { name: "Second", number: "50KTC9994711" }),
    account("m-1", { name: "Main", environment: "live" }),
    account("m-2", { name: "Main" }),
    account("m-3", { name: "Main" }),
  ];
  expect(findAccount(written, own)).toMatchObject({ accounts: [{ accountId: id }] });
  expect(findAccount("main", own).kind).toBe("unclear");
});

test("a connection's whole name goes before the end of an account's", () => {
  const setup = { name: "4567", paused: false, settings: {}, secrets: {} };
  const found = findAccounts("4567", OWN, [{ ...TRADOVATE, setup }]);
  expect(found).toMatchObject({ kind: "found", name: "connection 4567" });
});

test.each([
  ["what is an account and a connection", { name: "Main" }],
  ["what nothing is called", { name: "Other" }],
])("%s is unclear", (_, { name }) => {
  const setup = { name: "Main", paused: false, settings: {}, secrets: {} };
  const written = name === "Main" ? "main" : "elsewhere";
  expect(findAccounts(written, OWN, [{ ...TRADOVATE, setup }]).kind).toBe("unclear");
});
