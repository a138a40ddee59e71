import { setTimeout as sleep } from "node:timers/promises";
import type { TestGateway } from "../support/gateway.ts";
import { HANGS_AFTER_MS } from "../support/wait.ts";
import { isLiveLeg, pathOf, readView } from "./view.ts";
import type { Abilities } from "./world.ts";

/** What this gateway can do of what the model knows; asked on accounts of their own. */
export async function probeAbilities(
  gateway: TestGateway,
  nextAccount: () => string,
): Promise<Abilities> {
  return {
    keepsLegs: await keepsLegs(gateway, nextAccount()),
    modifies: await modifies(gateway, nextAccount()),
  };
}

/** Whether legs are gone soon after another order has closed their position. */
async function keepsLegs({ api }: TestGateway, account: string): Promise<boolean> {
  const order = { symbol: "ES1!", qty: 1 };
  const bracket = { takeProfit: { ticks: 400 }, stopLoss: { ticks: 400 } };
  await api.post(pathOf(account, "orders"), { ...order, action: "buy", bracket });
  await api.post(pathOf(account, "orders"), { ...order, action: "sell" });
  const deadline = performance.now() + HANGS_AFTER_MS;
  for (;;) {
    const legs = (await readView(api, account)).working.filter(isLiveLeg);
    if (legs.length === 0) return true;
    if (performance.now() > deadline) {
      for (const { orderId } of legs) await api.delete(pathOf(account, `orders/${orderId}`));
      return false;
    }
    await sleep(50);
  }
}

async function modifies({ api }: TestGateway, account: string): Promise<boolean> {
  const { status } = await api.patch(pathOf(account, "orders/999999999"), { qty: 1 });
  return status !== 405 && status !== 404;
}
