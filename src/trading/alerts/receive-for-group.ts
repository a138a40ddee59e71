import { enabledMembers } from "../../domain/account-groups/account-group.ts";
import type { ReadAlert } from "../../domain/alert.ts";
import type { AccountId, IntentId } from "../../domain/ids.ts";
import { errors, GatewayError } from "../../errors.ts";
import { fanOut, type Target } from "../account-groups/fan-out.ts";
import { noAccounts } from "../account-groups/no-accounts.ts";
import type { AccountGroups } from "../account-groups/ports.ts";
import { type Chosen, type Selection, selectMembers } from "../account-groups/select-members.ts";
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
  readonly alert: ReadAlert;
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
      const { chosen, refusal } = await membersOf(webhook, message.group, alert);
      const parts = chosen.map((one, n) => partOf(message, alert, one, n === 0));
      return await split(message, alert, parts, refusal);
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
    refusal: GatewayError | undefined,
  ): Promise<HandledMessage> {
    message.delivery.stages?.named(parts[0]?.entry.alertId ?? message.firstId);
    const unknown = refusal === undefined ? [] : [refusedTarget(refusal)];
    const carried = await fanOut([...unknown, ...parts.map(targetOf)], {
      isExit: onlyReduces(alert.request),
    });
    const settled = await Promise.allSettled(
      parts.map(async (part, n) => {
        const one = carried[n + unknown.length];
        return await settleOne(part.alert, part.entry, async () => {
          if (one === undefined || "failure" in one) throw one?.failure;
          return one.answer;
        });
      }),
    );
    const entries = parts.map(({ entry: { accountId, alertId } }) => ({ accountId, alertId }));
    const problems = refusal?.details ?? [];
    const decisions = problems.map(({ message: why }) => `${why}: the others were asked`);
    const entry = entryOf(message, alert, 0);
    const whole = { ...entry, decisions: [...entry.decisions, ...decisions] };
    await deps.recordAlertOutcome(whole, { kind: "split", parts: entries });
    const handled = settled.map(valueOf);
    const accounts = entries.map(({ accountId }) => accountId);
    const { groupId } = message.group;
    return {
      isArray: false,
      alerts: handled,
      group: {
        groupId,
        alertId: whole.alertId,
        accounts,
        ...(problems.length > 0 && { problems }),
      },
    };
  }

  function partOf(
    message: OfGroup,
    asked: ReadAlert,
    { member, request = asked.request }: Chosen,
    isFirst: boolean,
  ): Part {
    const { accountId } = member;
    const alert = { ...asked, request };
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
    return { message: own, alert, entry: entryOf(own, alert, 0) };
  }

  function targetOf({ message, alert, entry }: Part): Target<Submission, Submitted> {
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
    { accounts: named }: ReadAlert,
  ): Promise<Selection> {
    const group = await firstStep("reads", () => deps.accountGroups.find(userId, groupId));
    if (group === undefined) throw noAccounts("There is no such account group any more");
    const members = enabledMembers(group);
    if (members.length === 0) throw noAccounts();
    if (named === undefined) return { chosen: members.map((member) => ({ member })) };
    return selectMembers(group, named, deps.accounts);
  }
}

/**
 * Names that are no account of the group are to the others what one account that cannot be asked is:
 * nothing is opened anywhere, and a way out of those that are known waits for nobody.
 */
function refusedTarget(refusal: GatewayError): Target<Submission, Submitted> {
  return {
    prepare: async () => await Promise.reject(refusal),
    repeatEarlier: async () => await Promise.resolve(undefined),
    carryOut: async () => await Promise.reject(refusal),
  };
}

function noArray(): GatewayError {
  const message = "must be one alert: an array cannot go to a group of accounts";
  return errors.validationFailed([{ path: "body", message }]);
}

function valueOf(settled: PromiseSettledResult<HandledAlert>): HandledAlert {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}
