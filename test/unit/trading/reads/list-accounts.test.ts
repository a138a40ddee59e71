import { beforeEach, expect, test } from "vitest";
import { accountId, connectionId, credentialId, userId } from "../../../../src/domain/ids.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";
import { AccountDirectory } from "../../../../src/trading/connections/account-directory.ts";
import type { Caller } from "../../../../src/trading/people/caller.ts";
import { createAccountReads } from "../../../../src/trading/reads/read-account.ts";

const OWNER = userId("owner");
const caller: Caller = {
  userId: OWNER,
  credentialId: credentialId("key"),
  scopes: ["read"],
  requestId: "request",
  receivedAt: 0,
};

let stored: StoredAccount[];
let loads: number;
let now: number;
let accounts: AccountDirectory;

beforeEach(() => {
  stored = [];
  loads = 0;
  now = 1_000_000;
  const read = async () => {
    loads += 1;
    return stored;
  };
  const views = { accounts: read, saveAccounts: async () => undefined };
  accounts = new AccountDirectory({ views, now: () => now });
});

const account = (id: string, user = OWNER): StoredAccount => ({
  accountId: accountId(id),
  userId: user,
  connectionId: connectionId("paper"),
  name: id,
  broker: "paper",
  environment: "demo",
  active: true,
});

function list(limit: number, cursor?: string) {
  const board = { status: () => "CONNECTED" };
  const { listAccounts } = createAccountReads({ accounts, board } as never);
  return listAccounts(caller, { limit, ...(cursor !== undefined && { cursor }) });
}

async function walk(limit: number, between = (_page: number) => {}): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await list(limit, cursor);
    pages.push(items.map(({ accountId: id }) => id));
    between(pages.length);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

test("all accounts come in one page where there is room, and no cursor", async () => {
  stored = [account("paper-10"), account("paper-2"), account("other-1", userId("other"))];
  const page = await list(2);
  expect(page.items.map(({ accountId: id }) => id)).toEqual(["paper-2", "paper-10"]);
  expect(page).not.toHaveProperty("nextCursor");
});

test("every account comes once, in the order of the ids, however long a page is", async () => {
  // The first two read alike.
  const ids = ["7", "07", ...Array.from({ length: 40 }, (_, n) => `paper-${n + 1}`)];
  stored = ids.toReversed().map((id) => account(id));
  const expected = ["07", "7", ...ids.slice(2)];
  for (const limit of [1, 2, 3, 41, 42, 43]) {
    expect((await walk(limit)).flat()).toEqual(expected);
  }
});

test("accounts that come and go meanwhile move no other from its place", async () => {
  const ids = Array.from({ length: 9 }, (_, n) => `a${n + 1}`);
  stored = ids.map((id) => account(id));
  const pages = await walk(3, (page) => {
    now += 1_001;
    // The last one of the page is gone; one comes before it, and one at the end.
    const gone = `a${page * 3}`;
    stored = [...stored.filter(({ accountId: id }) => id !== gone), account(`a0${page}`)];
    if (page === 1) stored = [account("a10"), ...stored];
  });
  expect(pages.flat()).toEqual([...ids, "a10"]);
});

test("who goes from page to page does not read all accounts each time", async () => {
  stored = Array.from({ length: 10 }, (_, n) => account(`a${n}`));
  await walk(1);
  expect(loads).toBe(1);
  await walk(5, () => (now += 1_001));
  expect(loads).toBe(3);
  await walk(10);
  expect(loads, "a first page is as new as can be").toBe(4);
});

test("a cursor of another list is refused", async () => {
  await expect(list(1, "bm9uZQ")).rejects.toThrow(/cursor/);
});
