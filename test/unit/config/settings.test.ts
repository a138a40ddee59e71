import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import fc from "fast-check";
import { describeSettings, exampleEnvironment } from "../../../config/describe.ts";
import { ConfigError, loadConfig } from "../../../config/index.ts";
import { SETTINGS } from "../../../config/schema.ts";

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

function secretFile(content: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "gateway-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "secret");
  writeFileSync(file, content);
  return file;
}

describe("loadConfig", () => {
  test("an empty environment gives the defaults, frozen", () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      PORT: 8080,
      HOST: "127.0.0.1",
      DATA_DIR: "./data",
      ALLOW_UNSAFE_REDIS: false,
      ALLOW_LOCAL_BROKERS: false,
      PAPER_ACCOUNTS: "1-2",
      ENTRY_MAX_AGE_SECONDS: 30,
      RECORD_RETENTION_DAYS: 7,
    });
    expect(config).not.toHaveProperty("REDIS_URL");
    expect(Object.isFrozen(config)).toBe(true);
  });

  test("texts become numbers and booleans; other people's variables are left alone", () => {
    const config = loadConfig({ PORT: "0", PAPER_SESSION_HOURS: "true", PATH: "/bin", port: "x" });
    expect(config).toMatchObject({ PORT: 0, PAPER_SESSION_HOURS: true });
    expect(config).not.toHaveProperty("PATH");
  });

  test("no number is without its bound: what is not finite is refused", () => {
    const numbers = SETTINGS.filter(([, setting]) => setting["type"] === "integer");
    expect(numbers.length).toBeGreaterThan(10);
    for (const [name] of numbers) {
      for (const value of ["Infinity", "-Infinity", "1e400", "NaN"]) {
        expect(problemsOf({ [name]: value })).toContainEqual(
          expect.stringMatching(`^${name} must be a whole number from .*not "${value}"$`),
        );
      }
    }
  });

  test("an empty value is the same as none", () => {
    expect(loadConfig({ PORT: "", REDIS_URL: "", REDIS_URL_FILE: "" })).toEqual(loadConfig({}));
  });

  test("every problem is named at once, with what would be right and what is there", () => {
    const env = {
      PORT: "80a",
      LOG_LEVEL: "loud",
      ALLOW_UNSAFE_REDIS: "1",
      PUBLIC_URL: "gateway.example.com",
      PAPER_FEED: "bars",
      PAPER_ACCOUNTS: "1,9-5",
      ENTRY_MAX_AGE_SECONDS: "60",
      EXIT_MAX_AGE_SECONDS: "30",
    };
    expect(problemsOf(env)).toEqual([
      'PORT must be a whole number from 0 to 65535; not "80a"',
      'PUBLIC_URL must be a URL such as https://gateway.example.com, without a slash at its end; not "gateway.example.com"',
      'ALLOW_UNSAFE_REDIS must be true or false; not "1"',
      'LOG_LEVEL must be one of debug, info, warn, error; not "loud"',
      'EXIT_MAX_AGE_SECONDS must not be less than ENTRY_MAX_AGE_SECONDS, 60; not "30"',
      "PAPER_BAR_FILE must name a file of price bars, because PAPER_FEED is bars",
      "PAPER_BAR_ROOT must name the root of the bars, because PAPER_FEED is bars",
      'PAPER_ACCOUNTS must count upwards; "9-5" does not',
    ]);
    expect(() => loadConfig(env)).toThrow(/The settings are not valid:\n {2}PORT[^]*example\.env/);
  });

  test.each([
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "1.5"],
    ["DEFAULT_MAX_ORDER_QTY", "0"],
    ["PAPER_ACCOUNTS", "0-2"],
    ["PAPER_ACCOUNTS", "1, 2"],
    ["PAPER_ACCOUNTS", "1-5,10-20005"],
    ["PUBLIC_URL", "https://gateway.example.com/"],
    ["PUBLIC_URL", "https://user:word@gateway.example.com"],
    ["REDIS_URL", "http://127.0.0.1"],
    ["HOST", "127.0.0.1 "],
    ["TRUSTED_PROXIES", "caddy"],
    ["TRUSTED_PROXIES", "10.0.0"],
    ["TRUSTED_PROXIES", "10.0.0.7, 10.0.0.8"],
    ["TRUSTED_PROXIES", "10.0.0.0/8/8"],
    ["TRUSTED_PROXIES", "loopback,"],
    ["NOTIFY_ALLOW_PRIVATE", "loopback"],
    ["NOTIFY_ALLOW_PRIVATE", "192.168.1.0/33"],
    ["NOTIFY_ALLOW_PRIVATE", "192.168.1.0/24, 10.0.0.1"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:word@collector:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer x"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=%0D%0Aevil"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=%FF"],
  ])("%s=%s is refused", (name, value) => {
    expect(problemsOf({ [name]: value })).toHaveLength(1);
  });

  test.each([
    ["REDIS_URL", "redis://:word@127.0.0.1:6379/1"],
    ["REDIS_URL", "rediss://redis.example.com"],
    ["REDIS_URL", "unix:/run/redis.sock"],
    ["REDIS_URL", "/run/redis.sock"],
    ["HOST", "::1"],
    ["PUBLIC_URL", "https://example.com/gateway"],
    ["PAPER_ACCOUNTS", "1,2,5-9"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20a+b==,x-scope-orgid=1"],
    ["TRUSTED_PROXIES", "10.0.0.7"],
    ["TRUSTED_PROXIES", "loopback,10.0.0.0/8,::1,2001:db8::/32,::ffff:10.0.0.7"],
    ["NOTIFY_ALLOW_PRIVATE", "192.168.1.20,10.1.0.0/16,fd00::/8"],
  ])("%s=%s is taken", (name, value) => {
    expect(loadConfig({ [name]: value })).toHaveProperty(name, value);
  });

  test("no text makes it fail in another way, or pass with a value out of its bounds", () => {
    const names = SETTINGS.map(([name]) => name);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (env) => {
        const problems = problemsOf(env);
        expect(problems.every((problem) => /^[A-Z_]+ must /.test(problem))).toBe(true);
      }),
    );
  });
});

describe("a secret setting", () => {
  const value = "redis://:word@127.0.0.1:6379";

  test("is read from a file, without the newline at its end", () => {
    expect(loadConfig({ REDIS_URL_FILE: secretFile(`${value}\n`) })).toHaveProperty(
      "REDIS_URL",
      value,
    );
  });

  test("set in both ways is refused", () => {
    const env = { REDIS_URL: value, REDIS_URL_FILE: secretFile(value) };
    expect(problemsOf(env)).toEqual([
      "REDIS_URL and REDIS_URL_FILE are both set; keep one of them",
    ]);
  });

  test("whose file is missing or empty is refused", () => {
    const empty = secretFile("\n");
    expect(problemsOf({ REDIS_URL_FILE: "/nonexistent/file" })).toEqual([
      "REDIS_URL_FILE names /nonexistent/file, which cannot be read (ENOENT)",
    ]);
    expect(problemsOf({ REDIS_URL_FILE: empty })).toEqual([
      `REDIS_URL_FILE names ${empty}, which is empty`,
    ]);
  });

  test("that is wrong is named without its value, wherever it came from", () => {
    const wrong = "amqp://:word@127.0.0.1";
    for (const env of [{ REDIS_URL: wrong }, { REDIS_URL_FILE: secretFile(wrong) }]) {
      expect(problemsOf(env)).toEqual([
        expect.stringMatching(/^REDIS_URL must be .* is not shown/),
      ]);
      expect(() => loadConfig(env)).not.toThrow("word@");
    }
  });

  test("only secrets have a file", () => {
    expect(loadConfig({ PORT_FILE: "/nonexistent/file" })).toEqual(loadConfig({}));
  });
});

describe("the generated descriptions", () => {
  test("the table has one row for each setting, with its default", () => {
    const table = describeSettings();
    expect(table.trimEnd().split("\n")).toHaveLength(SETTINGS.length + 2);
    expect(table).toContain("| `PORT` | `8080` | HTTP port;");
    expect(table).toContain("| `REDIS_URL` or `REDIS_URL_FILE` |  |");
  });

  test("the example, with every line switched on that has a value, is the default", () => {
    const lines = [...exampleEnvironment().matchAll(/^#([A-Z_]+)=(.*)$/gm)];
    const env = Object.fromEntries(lines.map(([, name = "", value]) => [name, value]));
    expect(Object.keys(env)).toEqual(SETTINGS.map(([name]) => name));
    expect(loadConfig(env)).toEqual(loadConfig({}));
  });
});
