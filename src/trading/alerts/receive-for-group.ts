import { enabledMembers, type GroupMember } from "../../domain/account-groups/account-group.ts";
import type { ReadAlert } from "../../domain/alert.ts";
import type { AccountId, IntentId } from "../../domain/ids.ts";
import { errors, GatewayError } from "../../errors.ts";
import { fanOut, type Target } from "../account-groups/fan-out.ts";
import { noAccounts } from "../account-groups/no-accounts.ts";
import type { AccountGroups } from "../account-groups/ports.ts";
import type { Submitted } from "../orders/repeat-intent.ts";
import { AdmitFirstError, type Submission } from "../orders/submit-intent.ts";
import { firstStep, publicError } from "../public-error.ts";
import { entryOf, type Message, type Reading } from "./alert-message.ts";
import type { HandledAlert, HandledMessage } from "./alert-uses.ts";
import { type HandleAlert, whyPaused } from "./handle-alert.ts";
import { prepareAlert, type PrepareAlertDeps } from "./prepare-alert.ts";
import type { RecordAlertOutcome } from "./record-alert-outcome.ts";
import { onlyReduces } from "./webhook-options.ts";

export interface ReceiveForGroupDeps extends PrepareAlertDeps {
  readonly accountGroups: Pick<AccountGroups, "find">;
  readonly recordAlertOutcome: RecordAlertOutcome;
  /** The id of one account's part of an alert: the same each time. */
  readonly memberIdOf: (alert: IntentId, account: AccountId) => IntentId;
}

/** What is for a whole group. */
type OfGroup = Message & { readonly group: NonNullable<Message["group"]> };

/** One account's part of an alert. */
interface Part {
  readonly message: Message;
  readonly entry: ReturnType<typeof entryOf>;
}

export type ReceiveForGroup = (message: OfGroup, reading: Reading) => Promise<HandledMessage>;

/**
 * Turns an alert into one intent for each account of the webhook's group, side by side. Each is an alert
 * of its account like every other: told from earlier ones there, in its own line of the log, with its own
 * outcome. What is refused for all of them has one line, of the alert as a whole.
 */
export function createReceiveForGroup(
  deps: ReceiveForGroupDeps,
  { refusalOf, refuseAll, settleOne, submit, repeatEarlier }: HandleAlert,
): ReceiveForGroup {
  return async function receiveForGroup(message, { alerts, problem }) {
    const { webhook, delivery } = message;
    // Its parts are accepted in other slots than that in which its sender is admitted.
    if (delivery.admission !== undefined) throw new AdmitFirstError();
    const atOnce = delivery.refusal ?? (problem && (whyPaused(webhook) ?? problem));
    if (atOnce !== undefined) return await refuseWhole(message, alerts, atOnce);
    const [alert, ...others] = alerts;
    if (alert === undefined || others.length > 0 || message.isArray) {
      return await refuseWhole(message, alerts, noArray());
    }
    try {
      const members = await membersOf(webhook, message.group);
      const parts = members.map((member, n) => partOf(message, alert, member, n === 0));
      return await split(message, alert, parts);
    } catch (cause) {
      const error = publicError(cause, { changesNothing: false });
      const known = error instanceof GatewayError ? error : errors.internal(error);
      const refused = await refuseWhole(message, alerts, known);
      if (error !== known) throw error;
      return refused;
    }
  };

  async function split(
    message: OfGroup,
    alert: ReadAlert,
    parts: readonly Part[],
  ): Promise<HandledMessage> {
    message.delivery.stages?.named(parts[0]?.entry.alertId ?? message.firstId);
    const carried = await fanOut(
      parts.map((part) => targetOf(alert, part)),
      { isExit: onlyReduces(alert.request) },
    );
    const settled = await Promise.allSettled(
      carried.map(async (one, n) => {
        const { entry } = parts[n] as Part;
        return await settleOne(alert, entry, async () => {
          if ("failure" in one) throw one.failure;
          return one.answer;
        });
      }),
    );
    const entries = parts.map(({ entry: { accountId, alertId } }) => ({ accountId, alertId }));
    const whole = entryOf(message, alert, 0);
    await deps.recordAlertOutcome(whole, { kind: "split", parts: entries });
    const handled = settled.map(valueOf);
    const accounts = entries.map(({ accountId }) => accountId);
    const { groupId } = message.group;
    return {
      isArray: false,
      alerts: handled,
      group: { groupId, alertId: whole.alertId, accounts },
    };
  }

  function partOf(message: OfGroup, alert: ReadAlert, member: GroupMember, isFirst: boolean): Part {
    const { accountId } = member;
    const { groupId } = message.group;
    const webhook = { ...message.webhook, accountId };
    // A trace is one intent's: the first one's.
    const { stages, ...untraced } = message.delivery;
    const own: Message = {
      ...message,
      webhook,
      delivery: isFirst && stages !== undefined ? { ...untraced, stages } : untraced,
      firstId: deps.memberIdOf(message.firstId, accountId),
      refusal: refusalOf(webhook),
      group: { groupId, part: { of: message.firstId, member } },
    };
    return { message: own, entry: entryOf(own, alert, 0) };
  }

  function targetOf(alert: ReadAlert, { message, entry }: Part): Target<Submission, Submitted> {
    return {
      prepare: async () =>
        await firstStep("reads", () => prepareAlert(deps, message, alert, entry, undefined)),
      repeatEarlier: async () => await repeatEarlier(message, alert, entry),
      carryOut: submit,
    };
  }

  async function refuseWhole(
    message: OfGroup,
    alerts: readonly ReadAlert[],
    error: GatewayError,
  ): Promise<HandledMessage> {
    return { isArray: false, alerts: [await refuseAll(message, alerts, error)] };
  }

  async function membersOf(
    { userId }: OfGroup["webhook"],
    { groupId }: OfGroup["group"],
  ): Promise<readonly GroupMember[]> {
    const group = await firstStep("reads", () => deps.accountGroups.find(userId, groupId));
    const members = group === undefined ? [] : enabledMembers(group);
    if (members.length > 0) return members;
    throw noAccounts(group === undefined ? "There is no such account group any more" : undefined);
  }
}

function noArray(): GatewayError {
  const message = "must be one alert: an array cannot go to a group of accounts";
  return errors.validationFailed([{ path: "body", message }]);
}

function valueOf(settled: PromiseSettledResult<HandledAlert>): HandledAlert {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
