// The goal: what a connection logs in with is readable nowhere but by a gateway that has the key.
// The method: secrets go in by every way, and everything that was written is searched for them.
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createKeys } from "../../../src/store/keys.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { EXCHANGE } from "../../support/exchange-broker.ts";
import { call } from "../../support/http-client.ts";

let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  return simulator.stop;
});

async function filesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFile(path.join(entry.parentPath, entry.name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}

const keyFile = (site: ConnectionSite) => path.join(site.dataDir, "sealing.key");

test("secrets are in no log, answer, metric, file or dump", async () => {
  const site = await ConnectionSite.open(simulator);
  const app = await site.start();
  const secrets = Array.from({ length: 5 }, () => `secret-${randomBytes(9).toString("hex")}`);
  const [wrong = "", right = "", pin = "", unknown = "", fromStdin = ""] = secrets;
  site.broker.password = right;
  const id = await site.add(app, { password: wrong });
  await site.until(app, id, "AUTH_EXPIRED");
  await site.test(app, id);
  await site.change(app, id, { settings: { password: right, pin } });
  await site.until(app, id, "CONNECTED");
  await site.change(app, id, { settings: { pin: unknown.slice(0, 2), extra: unknown } });
  await site.change(app, id, { settings: { password: { nested: unknown } } });
  await site.command(["connection", "edit", id, "--secrets", "stdin"], {
    stdin: `password=${fromStdin}\n`,
  });
  await site.command(["connection", "list"]);
  await site.until(app, id, "AUTH_EXPIRED");

  const metrics = (await call(app.url, "GET", "/metrics")).text;
  const api = (await call(app.url, "GET", "/api-docs")).text;
  const written = [...site.said, metrics, api, await filesBelow(site.redisDir)].join("\n");
  expect(written).toContain(createKeys().connectionSetup(id as never));
  for (const secret of secrets) expect(written).not.toContain(secret);
  const key = (await readFile(keyFile(site), "utf8")).trim();
  expect(written).not.toContain(key);
  expect((await stat(keyFile(site))).mode & 0o777).toBe(0o600);
});

test("without its key a connection asks for a person, and the others go on", async () => {
  const site = await ConnectionSite.open(simulator);
  const app = await site.start();
  const id = await site.add(app);
  await site.until(app, id, "CONNECTED");
  await app.stop();
  const former = await readFile(keyFile(site), "utf8");
  await writeFile(keyFile(site), `${randomBytes(32).toString("base64")}\n`);

  const again = await site.start();
  await site.until(again, id, "FATAL_ERROR");
  expect((await site.read(again, id)).body.reason).toMatch(
    /^"password" was sealed with the key [0-9a-f]{8}, and this gateway has [0-9a-f]{8}/,
  );
  expect((await site.read(again, "paper")).body.status).toBe("CONNECTED");
  expect(await site.test(again, id)).toMatchObject({ result: "failed" });
  expect(site.broker.passwordsOf(id)).toHaveLength(1);
  await again.stop();

  await rm(keyFile(site));
  const without = await site.start();
  await site.api(without).post(`/v1/connections/${id}/reconnect`, {});
  const reason = async () => (await site.read(without, id)).body.reason as string;
  await expect.poll(reason).toMatch(/^There is no sealing key/);

  // Put back while the gateway runs, it is enough to ask.
  await writeFile(keyFile(site), former);
  await site.api(without).post(`/v1/connections/${id}/reconnect`, {});
  await site.until(without, id, "CONNECTED");
});

test("new secrets need no former key", async () => {
  const site = await ConnectionSite.open(simulator);
  const app = await site.start({ SEALING_KEY: randomBytes(32).toString("base64") });
  const id = await site.add(app);
  await site.until(app, id, "CONNECTED");
  await app.stop();
  const again = await site.start({ SEALING_KEY: randomBytes(32).toString("base64") });
  await site.until(again, id, "FATAL_ERROR");
  await site.change(again, id, { settings: { password: site.broker.password } });
  await site.until(again, id, "CONNECTED");
  await expect(stat(keyFile(site))).rejects.toThrow("ENOENT");
});

test("where no key can be made, no secret is taken", async () => {
  const site = await ConnectionSite.open(simulator);
  await writeFile(path.join(site.dataDir, "file"), "");
  const app = await site.start({ DATA_DIR: path.join(site.dataDir, "file/below") });
  const settings = { user: "joe", password: "hunter2" };
  const body = { broker: EXCHANGE, environment: "demo", settings };
  const refused = await site.api(app).post("/v1/connections", body);
  expect([refused.status, refused.body.error.code]).toEqual([503, "SEALING_UNAVAILABLE"]);
  expect(refused.body.error.message).toContain("SEALING_KEY");
  expect((await site.api(app).get("/v1/connections")).body.connections).toHaveLength(1);
});
