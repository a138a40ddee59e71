import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";
import { clOrdIdOf } from "../../domain/intent.ts";
import { isClosed, sign } from "../../domain/order.ts";
import { BrokerReadError, type ConnectionBoard } from "../ports.ts";
import type { CopyId } from "./plan-copies.ts";
import type { CopyMirrors } from "./ports.ts";
import { readOrders, type ReadOrdersDeps } from "./read-holds.ts";
import type { SendCopies, SentCopy } from "./send-copies.ts";
import type { IntentStore } from "../orders/ports.ts";

export interface EndMirrorsDeps extends ReadOrdersDeps {
  readonly board: ConnectionBoard;
  readonly mirrors: Pick<CopyMirrors, "list">;
  readonly intents: Pick<IntentStore, "now">;
  readonly send: SendCopies;
  readonly copyId: CopyId;
}

/**
 * Cancels what rests at a follower to which nothing is copied any more, where nobody else does: while
 * its leader's connection stands, whoever owns that cancels it. What would only reduce what is held
 * stays. A follower that cannot be read is left to that owner.
 */
export async function endMirrors(
  deps: EndMirrorsDeps,
  group: CopyGroup,
  follower: AccountId,
): Promise<void> {
  const { accounts, board, mirrors, intents, send } = deps;
  const leading = accounts.find(group.leader);
  if (leading !== undefined && board.status(leading.connectionId) === "CONNECTED") return;
  const noted = (await mirrors.list(follower)).filter(({ leader }) => leader === group.leader);
  if (noted.length === 0) return;
  const now = await intents.now();
  const { working, holds } = await readOrders(deps, follower).catch((error: unknown) => {
    if (error instanceof BrokerReadError) return { working: [], holds: new Map() };
    throw error;
  });
  const orders = noted.flatMap(({ copyId }) =>
    working.filter(({ clOrdId }) => clOrdId === clOrdIdOf(copyId, 1)),
  );
  const opening = orders.filter(
    ({ contract, side, ordStatus }) =>
      !isClosed(ordStatus) && sign(side) * (holds.get(contract) ?? 0) >= 0,
  );
  await send(
    opening.map(({ orderId, contract }): SentCopy => {
      const entry = {
        copyId: deps.copyId(group.groupId, follower, `end ${orderId} ${now}`),
        groupId: group.groupId,
        userId: group.userId,
        leader: group.leader,
        follower,
        cause: "order",
        leaderAt: now,
        notedAt: now,
        contract,
        decisions: ["Nothing is copied any more, and its leader cannot be seen: it is cancelled"],
      } as const;
      return {
        kind: "send",
        entry,
        intent: { kind: "CANCEL", orderId },
        entryMaxAgeMs: 0,
        isExit: true,
      };
    }),
  );
}
