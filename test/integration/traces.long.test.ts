// Goal: a trace is whole whichever process has the alert in hand, and nothing is loaded for one unless it is
// asked for. Method: the gateway as its operator starts it, and an OTLP receiver beside it.
import { afterEach, expect, onTestFinished, test } from "vitest";
import { frontMonth } from "../support/front-month.ts";
import type { Settings } from "../support/gateway.ts";
import { GatewayMachine } from "../support/gateway-process.ts";
import { program } from "../support/program.ts";
import { TraceReceiver } from "../support/trace-receiver.ts";
import { waitUntil } from "../support/wait.ts";

const BUY = { action: "buy", symbol: frontMonth("ES").symbol, qty: 1 };

const receiver = await TraceReceiver.start();
afterEach(() => receiver.stop());

/** Says at its end how many files the process has loaded of what makes and sends traces: the API alone does neither. */
const SAYS = `import { createRequire } from "node:module";
const { cache } = createRequire("file:///");
process.on("exit", () => {
  const loaded = Object.keys(cache).filter((file) => /@opentelemetry.(sdk|exporter|otlp)/.test(file));
  process.stdout.write("LOADED " + loaded.length + "\\n");
});`;

async function loadedWith(settings: Settings): Promise<number> {
  const watched = ["--import", `data:text/javascript,${encodeURIComponent(SAYS)}`];
  const command = [process.execPath, ...watched, ...program("gateway")];
  const machine = await GatewayMachine.create(settings, command);
  onTestFinished(machine.stop);
  const gateway = await machine.start();
  expect((await machine.outcomeOf(BUY)).status).toBe(200);
  gateway.signal("SIGTERM");
  const { code, stdout } = await gateway.ended;
  expect(code).toBe(0);
  return Number(/^LOADED (\d+)$/m.exec(stdout)?.[1]);
}

test("a process loads what makes traces only where it is to send them; two share one trace", async () => {
  expect(await loadedWith({})).toBe(0);
  const OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT })).toBeGreaterThan(20);
  // What was left at the stop is sent with it.
  expect(receiver.spans.map(({ name }) => name)).toContain("sending");

  const before = receiver.senders;
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT, PROCESSES: "ingress=1,worker=1" };
  const machine = await GatewayMachine.create(settings);
  onTestFinished(machine.stop);
  await machine.start();
  const { status, body } = await machine.alert(BUY);
  // A busy machine answers before the outcome, by the same steps.
  expect([200, 202]).toContain(status);
  const traceId = (body.intentId as string).slice(1).padStart(32, "0");
  await waitUntil("both sent their part", () => receiver.trace(traceId).length >= 8);
  expect(receiver.senders).toBe(before + 2);
  const spans = receiver.trace(traceId);
  const root = spans.find(({ parentSpanId }) => !parentSpanId);
  expect(root?.name).toBe("POST /hooks/{token}");
  expect(spans.map(({ name }) => name).toSorted()).toEqual([
    "POST /hooks/{token}",
    "accepting",
    "admission",
    "answering",
    "deciding",
    "reading",
    "sending",
    "waiting",
  ]);
  const parents = spans.filter((span) => span !== root).map((span) => span.parentSpanId);
  expect(new Set(parents)).toEqual(new Set([root?.spanId]));
});
