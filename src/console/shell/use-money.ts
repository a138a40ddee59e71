import { answerOf, api } from "../api/client.ts";
import type { AccountMoney } from "../parts/money.ts";
import { type Polled, type Rhythm, usePoll } from "./poll.ts";

/** That a price gets old follows from time alone. */
const RHYTHM: Rhythm = {
  refreshOn: { what: ["marks", "positions"] },
  anywayMs: 5_000,
  leastMs: 1_000,
};

/** What every account is worth, as prices move. */
export function useMoney(): Polled<readonly AccountMoney[]> {
  return usePoll(
    "balances",
    async () => (await answerOf(api.GET("/v1/balances"))).accounts,
    RHYTHM,
  );
}

/** What is known of one account, and when; undefined where nothing is. */
export function moneyOf({ answeredAt, data }: Polled<readonly AccountMoney[]>, id: string) {
  const account = data?.find((one) => one.id === id);
  return account === undefined || answeredAt === undefined ? undefined : { account, answeredAt };
}
