import fs from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import fc from "fast-check";
import { GatewayError } from "../../../src/errors.ts";
import type { LogFields } from "../../../src/observability/log-fields.ts";
import { createLogger, type LogLevel, openOutput } from "../../../src/observability/logger.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait.ts";

// No real one.
const SECRET = "gwk_3qZ8vXw1Yb5Tt0LrNsJmKpQeRuIoAaSsDdFfGgHhJjK";

function capture(level: LogLevel = "debug") {
  const written: string[] = [];
  const log = createLogger(level, { write: (line) => void written.push(line) });
  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log, written, lines };
}

describe("a log line", () => {
  test("says its level, time, message and known fields", () => {
    const { log, lines } = capture();
    log.warn("The broker refused the order", {
      accountId: "paper-1",
      reason: "Insufficient margin",
      status: 502,
      seconds: 0.25,
    });
    expect(lines()).toEqual([
      {
        level: "warn",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        msg: "The broker refused the order",
        accountId: "paper-1",
        reason: "Insufficient margin",
        status: 502,
        seconds: 0.25,
      },
    ]);
  });

  test("is left out below the level", () => {
    const { log, written } = capture("warn");
    log.info("Started");
    log.warn("Stopped");
    expect(written).toHaveLength(1);
  });

  test("carries the fields of its logger", () => {
    const { log, lines } = capture();
    log.with({ connectionId: "paper" }).with({ attempt: 2 }).info("Connected");
    expect(lines()).toMatchObject([{ connectionId: "paper", attempt: 2 }]);
  });

  test("stays one line, whatever is in it", () => {
    const { log, written } = capture();
    log.info("Started", { reason: "first\nsecond" });
    expect(written.join("").trimEnd().split("\n")).toHaveLength(1);
    expect(written.join("")).not.toContain("second");
  });
});

test("lines that come while others are written follow them, each one whole", async () => {
  const file = path.join(await temporaryFolder(), "log");
  const log = createLogger("info", openOutput(file));
  const reasons = Array.from({ length: 500 }, (_, n) => `Größe ${n} \u{1F4C8}`);
  for (const reason of reasons) log.info("Started", { reason });
  const lines = async () => (await readFile(file, "utf8").catch(() => "")).split("\n").slice(0, -1);
  await waitUntil("all is written", async () => (await lines()).length === reasons.length);
  expect((await lines()).map((line) => JSON.parse(line).reason)).toEqual(reasons);
});

test("what waits behind a write that failed is whole at the end of the process", async () => {
  const file = path.join(await temporaryFolder(), "log");
  const fd = fs.openSync(file, "a");
  onTestFinished(() => fs.closeSync(fd));
  const write = vi.spyOn(fs, "write").mockImplementationOnce(() => undefined);
  onTestFinished(() => write.mockRestore());
  const output = openOutput(fd);
  // More than goes with one write, in parts of unlike lengths.
  const lines = Array.from(
    { length: 600 },
    (_, n) => `${n} ${"x".repeat(n % 2 === 0 ? 20 : 190)}\n`,
  );
  for (const line of lines) output.write(line);
  const answer = write.mock.calls[0]?.at(-1) as unknown as (error: Error) => void;
  expect(() => answer(new Error("no space left"))).toThrow("no space left");
  output.flushSync();
  expect(await readFile(file, "utf8")).toBe(lines.join(""));
});

describe("no secret gets out", () => {
  test.each<[string, object]>([
    ["an unknown field", { password: SECRET, body: { apiKey: SECRET } }],
    [
      "a known field of another shape",
      { reason: { text: SECRET }, accountId: [SECRET], status: SECRET },
    ],
    ["an identifier that is a key", { requestId: SECRET }],
    ["a sentence that holds a key", { reason: `The key ${SECRET} is not known` }],
    [
      "a path with a token",
      { reason: "POST /hooks/pin4711-token failed", route: `/hooks/${SECRET}` },
    ],
    [
      "a URL",
      { reason: "connect redis://:pin4711@10.0.0.1:6379 failed", address: "redis://u:pin4711@h" },
    ],
    ["a field of the prototype", { constructor: SECRET, __proto__: { reason: SECRET } }],
  ])("by %s", (_, fields) => {
    const { log, written } = capture();
    log.info("Something happened", fields as LogFields);
    expect(written.join("")).not.toMatch(/gwk_3qZ8|pin4711/);
  });

  test("by the message", () => {
    const { log, written } = capture();
    log.info(`Asked ${SECRET} at https://user:pin4711@example.com/hooks/pin4711`);
    expect(written.join("")).not.toMatch(/gwk_3qZ8|pin4711/);
  });

  test.each<[string, () => unknown]>([
    [
      "what hangs on the error",
      () => Object.assign(new Error("Failed"), { command: { args: [SECRET] } }),
    ],
    ["its message", () => new Error(`No such key: ${SECRET}`)],
    [
      "its name and code",
      () => Object.assign(new Error("Failed"), { name: SECRET, code: `${SECRET} ` }),
    ],
    [
      "its cause",
      () => new Error("Failed", { cause: new Error(`at https://pin4711.example/${SECRET}`) }),
    ],
    [
      "its details and facts",
      () => new GatewayError("NOT_FOUND", "Gone", { facts: { token: SECRET } }),
    ],
    ["its stack", () => new Error(`first\n    at ${SECRET}\npin4711`)],
    ["a text thrown as it is", () => SECRET],
    ["a JSON text that could not be read", () => thrownBy(() => JSON.parse('{"pin": pin4711}'))],
    [
      "a command that Redis did not know",
      () => new Error("ERR unknown command 'A', with args beginning with: 'pin4711'"),
    ],
  ])("by an error: %s", (_, make) => {
    const { log, written } = capture();
    log.error("It failed", { error: make() });
    expect(written.join("")).not.toMatch(/gwk_3qZ8|pin4711/);
  });

  test("by whatever else is pushed in", () => {
    const value = fc.oneof(
      fc.anything(),
      fc.constant(SECRET),
      fc.object({ values: [fc.constant(SECRET)] }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), value, (fields, error) => {
        const { log, written } = capture();
        log.info("Something happened", { ...fields, error } as LogFields);
        expect(written.join("")).not.toContain(SECRET);
      }),
    );
  });
});

describe("an error", () => {
  test("of ours is said without its stack, with what caused it", () => {
    const { log, lines } = capture();
    const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    log.error("Refused", { error: new GatewayError("STORE_UNAVAILABLE", "Try again", { cause }) });
    expect(lines()[0]?.["error"]).toEqual({
      name: "STORE_UNAVAILABLE",
      message: "Try again",
      cause: { name: "Error", code: "ECONNREFUSED", message: "connect ECONNREFUSED" },
    });
  });

  test("that nobody expected shows where it came from", () => {
    const { log, lines } = capture();
    log.error("Failed", { error: new TypeError("Cannot read properties of undefined") });
    expect(lines()[0]?.["error"]).toMatchObject({
      name: "TypeError",
      message: "Cannot read properties of undefined",
      frames: expect.arrayContaining([expect.stringContaining("logger.test.ts")]),
    });
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
