import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  classifyAnswer,
  classifyLogin,
  type Command,
  COMMAND_CODES,
  isTagInUse,
  LOGIN_CODES,
} from "../../../../src/brokers/projectx/classify-error.ts";
import type { ProjectXAnswer } from "../../../../src/brokers/projectx/wire.ts";

/** The documents' lists, written down a second time. */
const PLACE = `AccountNotFound OrderRejected InsufficientFunds AccountViolation OutsideTradingHours
  OrderPending UnknownError ContractNotFound ContractNotActive AccountRejected`;
const CANCEL = "AccountNotFound OrderNotFound Rejected Pending UnknownError AccountRejected";
const DOCUMENTED: Readonly<Record<Command, readonly string[]>> = {
  "Order/place": PLACE.split(/\s+/),
  "Order/cancel": CANCEL.split(" "),
  "Order/modify": [...CANCEL.split(" "), "ContractNotFound"],
};
/** What says nothing of what became of the command. */
const PENDING = ["OrderPending", "Pending"];
const COMMANDS = Object.keys(DOCUMENTED) as readonly Command[];
const CODES = COMMANDS.flatMap((command) =>
  DOCUMENTED[command].map((name, index) => ({ command, name, code: index + 1 })),
);

const answer = (told: Partial<ProjectXAnswer>): ProjectXAnswer => ({
  success: false,
  body: {},
  ...told,
});

describe("what an answer to a command means", () => {
  test("every documented code is judged, and no other", () => {
    const known = COMMANDS.map((command) =>
      Object.entries(COMMAND_CODES[command]).map(([code, { name }]) => [Number(code), name]),
    );
    const documented = COMMANDS.map((command) =>
      DOCUMENTED[command].map((name, index) => [index + 1, name]),
    );
    expect(known).toEqual(documented);
  });

  test.each(CODES)("$command: $code is $name, with the broker's words", (row) => {
    const { command, name, code } = row;
    const refusal = name === "UnknownError" ? "unknown" : "rejected";
    const kind = PENDING.includes(name) ? "pending" : refusal;
    const said = answer({ errorCode: code, errorMessage: "Said so" });
    expect(classifyAnswer(command, said)).toEqual({ kind, reason: `Said so (${name})` });
    const silent = answer({ errorCode: code });
    const reason = `ProjectX gave no reason (${name})`;
    expect(classifyAnswer(command, silent)).toEqual({ kind, reason });
  });

  test("only a success without an error's code is taken for one", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...COMMANDS),
        fc.boolean(),
        fc.option(fc.nat({ max: 20 }), { nil: undefined }),
        fc.option(fc.string(), { nil: undefined }),
        (command, success, errorCode, errorMessage) => {
          const told = answer({
            success,
            ...(errorCode !== undefined && { errorCode }),
            ...(errorMessage !== undefined && { errorMessage }),
          });
          const { kind } = classifyAnswer(command, told);
          expect(kind === "taken").toBe(success && (errorCode ?? 0) === 0);
          const isDocumented =
            errorCode !== undefined && errorCode > 0 && errorCode <= DOCUMENTED[command].length;
          const isRefusal = !success && isDocumented;
          expect(isRefusal || kind === "taken" || kind === "unknown").toBe(true);
        },
      ),
    );
  });

  test("a tag that is in use is told apart from all other refusals", () => {
    const inUse = { errorCode: 2, errorMessage: "Specified custom tag is already in use" };
    expect(isTagInUse("Order/place", answer(inUse))).toBe(true);
    expect(isTagInUse("Order/place", answer({ ...inUse, success: true }))).toBe(false);
    expect(isTagInUse("Order/modify", answer(inUse))).toBe(false);
    expect(isTagInUse("Order/place", answer({ errorCode: 2, errorMessage: "Invalid price" }))).toBe(
      false,
    );
    expect(isTagInUse("Order/place", answer({ errorCode: 2 }))).toBe(false);
  });

  test("an account with Position Brackets is told what to do", () => {
    const errorMessage =
      "Brackets cannot be used with Position Brackets. You must enable Auto OCO Brackets.";
    const refused = classifyAnswer("Order/place", answer({ errorCode: 2, errorMessage }));
    expect(refused).toEqual({
      kind: "rejected",
      reason: expect.stringMatching(/^Brackets cannot be used.*Set the account to Auto OCO/),
    });
  });
});

describe("what a refused login means", () => {
  test.each([
    [1, "credentials"],
    [2, "credentials"],
    [3, "credentials"],
    [4, "act"],
    [5, "act"],
    [6, "act"],
    [7, "act"],
    [8, "again"],
    [9, "act"],
    [10, "act"],
    [11, "again"],
  ])("code %i: %s", (errorCode, means) => {
    const { means: read, reason } = classifyLogin(answer({ errorCode, errorMessage: "No" }));
    expect(read).toBe(means);
    expect(reason).toContain(`No (${LOGIN_CODES[errorCode]?.name ?? "code 11"})`);
  });

  test.each([
    [9, "Not found"],
    [8, "User lacks subscription"],
  ])("code %i, %s: the person buys API access and links it", (errorCode, errorMessage) => {
    const { means, reason } = classifyLogin(answer({ errorCode, errorMessage }));
    expect(means).toBe("act");
    expect(reason).toMatch(/Buy API access at dashboard.projectx.com, link it .*, then reconnect$/);
  });

  test("without a code it is tried again", () => {
    const reason = "ProjectX refused the login (no code)";
    expect(classifyLogin(answer({}))).toEqual({ means: "again", reason });
  });
});
