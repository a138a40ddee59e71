import { expect, test } from "vitest";
import { readCommand, readLinkCode } from "../../../../src/trading/answering/read-command.ts";

test.each([
  ["/status", { kind: "status" }],
  ["  /PnL@Some_Bot  ", { kind: "pnl" }],
  ["/positions and more", { kind: "positions" }],
  ["/start", { kind: "help" }],
  ["/help", { kind: "help" }],
  ["/flatten all", { kind: "flatten", of: "all" }],
  ["/flatten  Paper \n 1 ", { kind: "flatten", of: "Paper 1" }],
  ["/kill", { kind: "kill", of: "all" }],
  ["/kill …4567", { kind: "kill", of: "…4567" }],
  ["/pause Off-shore", { kind: "pause", of: "Off-shore" }],
])("%j is a command", (text, command) => {
  expect(readCommand(text)).toEqual(command);
});

test.each(["status", "", "/", "// kill", "hello /kill", "/kill\u0000"])(
  "%j asks nothing",
  (text) => {
    const kind = readCommand(text)?.kind;
    expect(kind === undefined || kind === "refused").toBe(true);
  },
);

test.each([
  "/kill off",
  "/kill paper-1 OFF",
  "/pause paper-1 off",
  "/pause resume",
  "/kill false",
  "/unkill",
  "/resume paper-1",
  "/buy 1 ES",
  "/flatten",
  "/pause",
])("%s is refused in words", (text) => {
  expect(readCommand(text)).toMatchObject({ kind: "refused" });
});

test("an account that is called so is no wish for a guard to go", () => {
  const isName = (name: string) => name === "Weekly 0";
  expect(readCommand("/kill Weekly  0", isName)).toEqual({ kind: "kill", of: "Weekly 0" });
  expect(readCommand("/pause Weekly 0", isName)).toEqual({ kind: "pause", of: "Weekly 0" });
  expect(readCommand("/kill Weekly 0 off", isName)?.kind).toBe("refused");
});

test.each([
  ["/start Abc123", "Abc123"],
  ["/start@Bot Abc123 ", "Abc123"],
  ["/start", undefined],
  ["/start a b", undefined],
  ["start Abc123", undefined],
  [`/start ${"x".repeat(65)}`, undefined],
])("%j has the code %s", (text, code) => {
  expect(readLinkCode(text)).toBe(code);
});
