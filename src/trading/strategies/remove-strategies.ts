import type { UserId } from "../../domain/ids.ts";
import type { Strategies } from "./ports.ts";

/** Removes every strategy of a user who leaves, however often others change theirs meanwhile. */
export async function removeStrategiesOf(
  strategies: Pick<Strategies, "read" | "remove">,
  user: UserId,
): Promise<void> {
  for (;;) {
    const { strategies: known, version } = await strategies.read();
    const one = known.find(({ userId }) => userId === user);
    if (one === undefined) return;
    await strategies.remove(one.strategyId, version);
  }
}
