// The goal: whenever the gateway is killed, nothing that happened stays untold, and what is told twice is
// told under one id. The method: alerts that fill and alerts that are refused, the real program, its own
// Redis, and SIGKILL at moments spread over the second in which events are on their way.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { GatewayMachine } from "../../support/gateway-process.ts";
import { waitUntil } from "../../support/wait.ts";
import { ALLOW_RECEIVER, type Posted, Receiver } from "../../support/receiver.ts";

const ROUNDS = 12;
const ALERTS = 8;

const TOLD_AS: Readonly<Record<number, string>> = {
  200: "order.filled",
  400: "alert.refused",
  422: "order.refused",
};

const alertOf = (data: Posted["body"]["data"]): string => {
  const facts = (data["facts"] ?? data) as Readonly<Record<string, unknown>>;
  return String(facts["alertId"]);
};

/** Two gateways side by side share the moments, since a start of the program takes seconds. */
const MOMENTS = Array.from({ length: ROUNDS }, (_, round) => round);
const SHARES = [0, 1].map((of) => MOMENTS.filter((round) => round % 2 === of));

test.concurrent.for(SHARES)(
  "what happened right before a kill is told after the next start: %j",
  { timeout: 180_000 },
  async (moments, { onTestFinished }) => {
    const machine = await GatewayMachine.create(ALLOW_RECEIVER);
    onTestFinished(machine.stop);
    const receiver = await Receiver.open();
    onTestFinished(() => receiver.close());
    let gateway = await machine.start();
    const created = await machine.api.post("/v1/destinations", {
      name: "everything",
      kind: "webhook",
      settings: { url: receiver.url },
      rules: [{ tell: "on" }],
    });
    expect(created.status).toBe(201);

    const alerts = new Map<string, string>();
    for (const round of moments) {
      const orders = Array.from({ length: ALERTS }, async (_, n) => {
        const id = `${round}-${n}`;
        const isWrong = n % 3 === 0;
        const alert = isWrong
          ? { symbol: "NOSUCH", action: "buy", qty: 1, alertId: id }
          : { symbol: "MES", action: n % 2 === 0 ? "buy" : "sell", qty: 1, alertId: id };
        const first = await machine.alert(alert);
        const last = first.status in TOLD_AS ? first : await machine.outcomeOf(alert);
        // Killed that often within a minute, the gateway refuses orders too: those count as sent.
        const type = TOLD_AS[last.status];
        expect(type).toBeDefined();
        // One that was accepted keeps the id of its first answer.
        const { body } = first.status === 202 ? first : last;
        const { alertId } = (body["error"] ?? body) as unknown as { readonly alertId: string };
        alerts.set(alertId, type ?? "");
      });
      await Promise.all(orders);
      // Events are looked for once a second: a kill hits before, amid and after that.
      await sleep((round * 1_200) / ROUNDS);
      gateway.signal("SIGKILL");
      await gateway.ended;
      gateway = await machine.start();
    }

    const ids = () => {
      const found = new Map<string, Set<string>>();
      for (const { body } of receiver.posted) {
        const key = `${body.type} ${alertOf(body.data)}`;
        found.set(key, (found.get(key) ?? new Set()).add(body.data.id));
      }
      return found;
    };
    await waitUntil("everything is told", () => {
      const found = ids();
      return [...alerts].every(([alert, type]) => found.has(`${type} ${alert}`));
    });
    expect([...ids()].filter(([, of]) => of.size > 1)).toEqual([]);
    expect(alerts.size).toBe(moments.length * ALERTS);
    process.stdout.write(`Kinds of notices: ${[...new Set(alerts.values())].join(", ")}\n`);
  },
);
