import type {
  AccountId,
  ConnectionId,
  CredentialId,
  IntentId,
  StrategyId,
  UserId,
} from "../domain/ids.ts";
import type { DestinationId } from "../domain/notify/destination.ts";
import type { BotId } from "../trading/answering/ports.ts";
import type { KillTarget } from "../trading/guards/ports.ts";

export type Keys = ReturnType<typeof createKeys>;

/**
 * Every Redis key of the gateway. All keys of one account share the hash tag `{<account>}`, so a
 * Redis Cluster keeps them on one node, and one script may touch them together. BullMQ's keys of a
 * lane (`<prefix>:lane:{<account>}:…`) carry the same tag, and so do the webhooks that point to the
 * account, and its copies of its user's kill switch and dead keys: an alert, from its admission to its
 * outcome, touches this slot and no other. Beside it, a process asks now and then where a webhook lies
 * (a slot of the token's hash), and for its share of the orders per minute of all.
 *
 * What concerns the whole appliance has the tag `{all}`, what signing in asks `{people}`, what copying
 * asks of all groups `{copying}`, and strategies with their logs `{strategies}`, for the same reason.
 * An API key or session has a slot of its own hash, and lists of a user one of the user.
 */
export function createKeys(prefix = "gw") {
  const account = (id: AccountId) => `${prefix}:{${id}}`;
  const all = `${prefix}:{all}`;
  const people = `${prefix}:{people}`;
  const copying = `${prefix}:{copying}`;
  const strategies = `${prefix}:{strategies}`;
  return {
    prefix,

    /** What all keys of an account begin with. */
    account,

    /** Hash: one intent, its state and its outcome. Expires after its retention. */
    intent: (id: AccountId, intent: IntentId) => `${account(id)}:intent:${intent}`,
    /** Sorted set by acceptance: the account's unsettled intents. */
    open: (id: AccountId) => `${account(id)}:open`,
    /** Set: the account's intents whose outcome is unknown. */
    unknown: (id: AccountId) => `${account(id)}:unknown`,
    /** Hash: the account's exits that go on by themselves, each with its state. */
    goingOn: (id: AccountId) => `${account(id)}:going-on`,
    /** Set: the account's intents in state SENDING. */
    sending: (id: AccountId) => `${account(id)}:sending`,
    /** Sorted set by acceptance: the account's entries that wait until nothing is unknown. */
    parked: (id: AccountId) => `${account(id)}:held`,
    /** Hash: how many intents were accepted, and which of them was the newest flatten. */
    counters: (id: AccountId) => `${account(id)}:counters`,
    /** String: the epoch of the account's owner; the write-ahead of any other is refused. */
    epoch: (id: AccountId) => `${account(id)}:epoch`,
    /** Hash: the user's kill switch, as it holds for the account, and which version of it. */
    userSwitch: (id: AccountId, user: UserId) => `${account(id)}:user-switch:${user}`,
    /** Sorted set by when it is forgotten: dead keys and tokens, whose intents are not begun. */
    revokedHere: (id: AccountId) => `${account(id)}:revoked`,
    /** Sorted set: orders sent in the last minute. */
    sent: (id: AccountId) => `${account(id)}:sent`,
    /** Hash: which intent an Idempotency-Key stands for. Expires after 24 hours. */
    idempotency: (id: AccountId, key: string) => `${account(id)}:idempotency:${key}`,
    /** Sorted set by time of receipt: the account's alerts that became intents. */
    acceptedAlerts: (id: AccountId) => `${account(id)}:accepted-alerts`,
    /** Sorted set by time of receipt: the account's alerts that have no intent. */
    endedAlerts: (id: AccountId) => `${account(id)}:ended-alerts`,
    /**
     * Sorted set by time of receipt: the account's alerts that ended so. Those that were done are
     * in none, nor those that were refused: they are the others of the two sets above.
     */
    alertsEndedAs: (id: AccountId, ending: string) => `${account(id)}:alerts-ended-as:${ending}`,
    /** String: an alert that has no intent, and how it ended, as JSON. Expires. */
    endedAlert: (id: AccountId, alert: IntentId) => `${account(id)}:ended-alert:${alert}`,
    /**
     * String: which intent a sender's own alert id stands for, by the beginning of its hash. Expires
     * as the alert log does.
     */
    sameAlert: (id: AccountId, webhook: CredentialId, hash: string) =>
      `${account(id)}:same:${webhook}:${hash}`,
    /** String: the same, where earlier versions wrote it, by the whole hash. Expires as well. */
    formerSameAlert: (id: AccountId, webhook: CredentialId, hash: string) =>
      `${account(id)}:same-alert:${webhook}:${hash}`,
    /** Hash: the webhook's newest accepted body, and its intents by place. Expires. */
    newestBody: (id: AccountId, webhook: CredentialId) => `${account(id)}:newest-body:${webhook}`,
    /**
     * List: of the webhook's bodies before the newest one, the last that may come again because nothing
     * of them was sent. Each is `body place intent`. Expires.
     */
    refusedBodies: (id: AccountId, webhook: CredentialId) =>
      `${account(id)}:refused-bodies:${webhook}`,
    /** String: the replay of an alert that stands for it. Expires as the alert log does. */
    replayed: (id: AccountId, alert: IntentId) => `${account(id)}:replayed:${alert}`,
    /** Hash: the account's limits, where they differ from the defaults. */
    limits: (id: AccountId) => `${account(id)}:limits`,
    /** Hash: the account's guards with their version, what is remembered of them, and its lock. */
    guards: (id: AccountId) => `${account(id)}:guards`,
    /** Stream: what its guards have decided. */
    guardLog: (id: AccountId) => `${account(id)}:guard-log`,
    /** String: open positions as JSON, with the time of the broker's word. */
    positions: (id: AccountId) => `${account(id)}:positions`,
    /** Hash: fills by execution id. */
    fills: (id: AccountId) => `${account(id)}:fills`,
    /** Sorted set: execution ids by time. */
    fillTimes: (id: AccountId) => `${account(id)}:fill-times`,
    /** Hash: the signed sum of all fills ever recorded, by contract; it outlives the fills. */
    filledNet: (id: AccountId) => `${account(id)}:filled-net`,
    /** Stream: every fill for good, what it cost, and lots that no fill explains. */
    ledger: (id: AccountId) => `${account(id)}:ledger`,
    /** Hash: what the ledger adds up to, as JSON, and up to which of its lines. */
    ledgerBook: (id: AccountId) => `${account(id)}:ledger-book`,
    /** Stream: intents that ended otherwise than filled, refused alerts and alarms, to be told. Expires. */
    outbox: (id: AccountId) => `${account(id)}:outbox`,
    /** Hash: up to which lines of its streams the account's events are on their way, and which are next. */
    toldUpTo: (id: AccountId) => `${account(id)}:told-up-to`,
    /** String: what the broker last said the account is worth, as JSON. */
    balances: (id: AccountId) => `${account(id)}:balances`,
    /** Hash: what is held without fills that are known, by contract, and up to when fills are. */
    positionBase: (id: AccountId) => `${account(id)}:position-base`,
    /** Hash: whether the account leads, by which version of all groups, and its newest number. */
    copyLead: (id: AccountId) => `${account(id)}:copy-lead`,
    /** Sorted set by number: the fills of an account that leads which are not copied yet. */
    copyNews: (id: AccountId) => `${account(id)}:copy-news`,
    /** Hash: the newest number on its way, by leader and contract, and the refusals in a row. */
    copied: (id: AccountId) => `${account(id)}:copied`,
    /** Hash: one copy to the account, why it was skipped, what was measured of it. Expires. */
    copy: (id: AccountId, copy: IntentId) => `${account(id)}:copy:${copy}`,
    /** Sorted set by the time of noting: the copies to the account. */
    copies: (id: AccountId) => `${account(id)}:copies`,
    /** Sorted set by the time of noting: those that were neither skipped nor measured. */
    openCopies: (id: AccountId) => `${account(id)}:open-copies`,
    /** Hash: the account's orders that stand for orders of a leader, by their copies' ids, as JSON. */
    copyMirrors: (id: AccountId) => `${account(id)}:copy-mirrors`,
    /** Hash: contracts whose exits were asked for and are missing, by contract: which exits. */
    unprotected: (id: AccountId) => `${account(id)}:unprotected`,
    /** Hash: the account's entries that may rest only so long, by their own identifiers, as JSON. */
    orderTimeouts: (id: AccountId) => `${account(id)}:order-timeouts`,
    /** Hash: the exit plans that work for the account, by the intent that brought each, as JSON. */
    runningPlans: (id: AccountId) => `${account(id)}:running-plans`,
    /** Hash: what the account's working orders were placed as, by the broker's ids. Expires. */
    orderNames: (id: AccountId) => `${account(id)}:order-names`,
    /** Hash: what a broker inside this gateway keeps of the account. */
    brokerState: (id: AccountId) => `${account(id)}:broker-state`,
    /** Hash: a webhook that points to the account, by the SHA-256 of its token. */
    webhook: (id: AccountId, hash: string) => `${account(id)}:webhook:${hash}`,
    /** Sorted set: its requests in the last minute. */
    webhookWindow: (id: AccountId, hash: string) => `${account(id)}:webhook:${hash}:window`,
    /** Sorted set: its exits in the last minute that its window had no room for. */
    webhookExits: (id: AccountId, hash: string) => `${account(id)}:webhook:${hash}:exits`,
    /** String: a webhook of another account may arrive here, once. */
    webhookArrival: (id: AccountId, arrival: string) => `${account(id)}:webhook-arrival:${arrival}`,

    /** Hash: one kill switch; a user's has a version, and up to which its accounts have it. */
    killSwitch: (target: KillTarget) =>
      "accountId" in target
        ? `${account(target.accountId)}:kill-switch`
        : `${all}:kill-switch:${target.userId}`,

    /** String: alerts from before are in no set of how they ended, Unix ms; absent where all are. */
    endingsSince: `${prefix}:alert-endings-since`,
    /** String: which store this is and in which form, as JSON. */
    storeIdentity: `${prefix}:store`,
    /** String: a mark in one of many slots, so that each node of a Cluster has some. */
    marker: (at: number) => `${prefix}:mark:{${at}}`,
    /** Set: the kill switches that were ever on, by their keys; each says itself whether it is. */
    usedKillSwitches: `${prefix}:kill-switches`,
    /** Set: the accounts that ever had guards. */
    guardedAccounts: `${prefix}:guarded-accounts`,
    /** Channel: accounts whose guards, or whose lock, were changed. */
    guardChanges: `${prefix}:guard-changes`,
    /** Hash: all accounts ever reported, as JSON. */
    accounts: `${prefix}:accounts`,
    /** Hash: by which clocks the days of an account begin, as JSON, where a person has set one. */
    accountClocks: `${prefix}:account-clocks`,
    /** Hash: users as JSON. */
    users: `${prefix}:users`,
    /** Hash: an API key or session, by the SHA-256 of its secret. */
    credential: (kind: UserCredentialKind, hash: string) => `${prefix}:${kind}:{${hash}}`,
    /** Sorted set: its requests in the last minute. */
    credentialWindow: (kind: UserCredentialKind, hash: string) =>
      `${prefix}:${kind}:{${hash}}:window`,
    /** Sorted set: its exits in the last minute that its window had no room for. */
    credentialExits: (kind: UserCredentialKind, hash: string) =>
      `${prefix}:${kind}:{${hash}}:exits`,
    /** String: the account under which a webhook lies, and since which of its versions. */
    webhookPlace: (hash: string) => `${prefix}:webhook-place:{${hash}}`,
    /** Hash: a webhook where stores up to form 2 have it. */
    formerWebhook: (hash: string) => `${prefix}:webhook:{${hash}}`,
    /** Hash: a user's keys, tokens or sessions, id to SHA-256. */
    credentialsOf: (kind: CredentialKind, user: UserId) => `${prefix}:user:{${user}}:${kind}s`,
    /** Set: the accounts that a webhook of the user ever pointed to. */
    alertAccounts: (user: UserId) => `${prefix}:user:{${user}}:alert-accounts`,
    /** Stream: what is to be told of the user, and of no account of theirs. Expires. */
    userOutbox: (user: UserId) => `${prefix}:user:{${user}}:outbox`,
    /** Hash: up to which of its lines events are on their way. */
    userToldUpTo: (user: UserId) => `${prefix}:user:{${user}}:told-up-to`,
    /** Hash: the states of the user's that need a person, and since when, as JSON. */
    toldStates: (user: UserId) => `${prefix}:user:{${user}}:told-states`,
    /** Set: the user's accounts that were ever fenced; each has its own copy of what stops orders. */
    fencedAccounts: (user: UserId) => `${prefix}:user:{${user}}:fenced-accounts`,
    /** Hash: on which side of a root each of the user's accounts is, or is about to be, and until when. */
    sides: (user: UserId) => `${prefix}:user:{${user}}:sides`,
    /** Hash: the user's economic calendars by name, as JSON, and how often they were changed. */
    calendars: (user: UserId) => `${prefix}:user:{${user}}:calendars`,
    /** Hash: the user's account groups as JSON, by their ids. */
    accountGroups: (user: UserId) => `${prefix}:user:{${user}}:account-groups`,
    /** Hash: the exit plans that the user keeps, by name, as JSON. */
    namedPlans: (user: UserId) => `${prefix}:user:{${user}}:named-plans`,
    /** Channel: economic calendars that were saved or removed. */
    calendarChanges: `${all}:calendar-changes`,
    /** Sorted set by when it is forgotten: the user's dead keys and tokens. */
    revokedOf: (user: UserId) => `${prefix}:user:{${user}}:revoked`,
    /** String: the key or token is dead. Expires. */
    revoked: (id: CredentialId) => `${all}:revoked:${id}`,

    /** Hash: who signs in with a name, by the name in lower case. */
    signInNames: `${people}:names`,
    /** Hash: what a person signs in with; absent until they have set it up. */
    person: (user: UserId) => `${people}:person:${user}`,
    /** Hash: a person's passkeys as JSON, by their public id. */
    passkeys: (user: UserId) => `${people}:passkeys:${user}`,
    /** String: whose set-up link it is, by the SHA-256 of its secret. Expires. */
    setUpLink: (hash: string) => `${people}:set-up:${hash}`,
    /** String: what a passkey must sign, as JSON, until it did. Expires. */
    challenge: (id: string) => `${people}:challenge:${id}`,
    /** String: how often signing in failed. Expires. */
    attempts: (of: "address" | "name" | "pair" | "challenge", hash: string) =>
      `${people}:attempts:${of}:${hash}`,

    /** Hash: every copy group as JSON, and the version of them all. */
    copyGroups: `${copying}:groups`,
    /** Set: each leader and follower of which the one has orders that stand for the other's. */
    mirrorPairs: `${copying}:mirrors`,
    /** Channel: copy groups that were saved or removed. */
    copyChanges: `${copying}:changes`,

    /** Hash: every strategy as JSON, and the version of them all. */
    strategies: `${strategies}:all`,
    /** Hash: the next slot that nobody has taken, Unix ms, by strategy. */
    nextSlots: `${strategies}:next-slots`,
    /** Hash: evaluations that have not ended, by id, as JSON. */
    openEvaluations: `${strategies}:open`,
    /** Sorted set by the time of opening: their ids. */
    openEvaluationTimes: `${strategies}:open-times`,
    /** Stream: the evaluations of a strategy, in the order in which they ended. Expires. */
    evaluations: (id: StrategyId) => `${strategies}:log:${id}`,
    /** Channel: strategies that were saved or removed. */
    strategyChanges: `${strategies}:changes`,
    /** BullMQ's own prefix of the queue of slots; the queue is named `{slots}`. */
    slotQueue: `${prefix}:strategy`,

    /** Hash: every destination of events, with its settings, secrets sealed, as JSON. */
    destinations: `${prefix}:destinations`,
    /** Sorted set by when it is due: the events that wait for the destination. */
    waiting: (id: DestinationId) => `${prefix}:destination:{${id}}:waiting`,
    /** Sorted set by when it is due: of those events, the ones that come before all others. */
    waitingFirst: (id: DestinationId) => `${prefix}:destination:{${id}}:waiting-first`,
    /** Hash: those events, and what came of their attempts, by id as JSON. */
    notices: (id: DestinationId) => `${prefix}:destination:{${id}}:notices`,
    /** Sorted set by time: the events that were told there, or given up. Expires. */
    toldEvents: (id: DestinationId) => `${prefix}:destination:{${id}}:told`,
    /** Hash: until when equal events wait to be told as one. Expires. */
    folds: (id: DestinationId) => `${prefix}:destination:{${id}}:folds`,
    /** Sorted set by time: the events that were given up. */
    undelivered: (id: DestinationId) => `${prefix}:destination:{${id}}:undelivered`,
    /** Hash: those events, and why, by id as JSON. */
    undeliveredNotices: (id: DestinationId) => `${prefix}:destination:{${id}}:undelivered-notices`,
    /** Hash: what came of attempts there. */
    destinationState: (id: DestinationId) => `${prefix}:destination:{${id}}:state`,
    /** String: the process that looks for what is to be told. Expires. */
    teller: `${prefix}:teller`,
    /** String: the process that asks the bot for what is written to it. Expires. */
    botHolder: (bot: BotId) => `${prefix}:bot:{${bot}}:holder`,
    /** String: the first update of the bot that nobody has taken. Expires. */
    nextUpdate: (bot: BotId) => `${prefix}:bot:{${bot}}:next-update`,
    /** String: what a button does, as JSON, until somebody presses it. Expires. */
    offer: (bot: BotId, destination: DestinationId, nonce: string) =>
      `${prefix}:bot:{${bot}}:offer:${destination}:${nonce}`,
    /** Hash: the buttons that were pressed and whose outcome was not told, by nonce. Expires. */
    begunActs: (bot: BotId) => `${prefix}:bot:{${bot}}:begun`,
    /** BullMQ's own prefix of the queue of destinations; the queue is named `{destinations}`. */
    destinationQueue: `${prefix}:notify`,

    /** Hash: the shares of the appliance's orders per minute: how many, and until when they count. */
    orderShares: `${all}:order-shares`,
    /** Sorted set: orders sent in the last minute, as stores of the form 1 have them. */
    formerSentByAll: `${all}:sent`,
    /** Hash: the newest quotes of contracts that are held or worked on the connection. Expires. */
    quotes: (id: ConnectionId) => `${prefix}:connection:{${id}}:quotes`,
    /** Hash: who owns a connection, until when, in which epoch, how it stands, and what it is. */
    connection: (id: ConnectionId) => `${prefix}:connection:{${id}}`,
    /** Hash: why nothing logs in on a connection until a person asks for it. */
    connectionStop: (id: ConnectionId) => `${prefix}:connection:{${id}}:stop`,
    /** Hash: what a user has set of a connection, secrets sealed, and its version. */
    connectionSetup: (id: ConnectionId) => `${prefix}:connection:{${id}}:setup`,
    /** String: what its adapter left to the next owner, sealed. Expires. */
    connectionMemory: (id: ConnectionId) => `${prefix}:connection:{${id}}:memory`,
    /** String: somebody tries the connection out. Expires. */
    connectionTrial: (id: ConnectionId) => `${prefix}:connection:{${id}}:trial`,
    /** String: somebody gives a connection this login. Expires. */
    loginClaim: (login: string) => `${prefix}:login-claim:{${login}}`,
    /** Set: the connections that users have added. */
    addedConnections: `${prefix}:added-connections`,
    /** Hash: the newest number of a connection, by broker. */
    connectionNumbers: `${prefix}:connection-numbers`,
    /** Channel: connections that were added, changed or removed, or whose accounts were. */
    connectionChanges: `${prefix}:connection-changes`,
    /** String: the newest epoch of all connections. */
    epochs: `${all}:epoch`,
    /** Hash: the processes that own connections, and until when each of them said so. */
    members: `${all}:members`,
    /** Set: every connection that was ever owned. */
    connections: `${prefix}:connections`,
    /** Channel: connections whose owner or state has just changed. */
    connectionNews: `${prefix}:connection-news`,
    /** Channel: what looks different now, of which account or user. */
    changes: `${prefix}:changes`,
    /** Channel: questions to the owner of a connection. */
    questions: (id: ConnectionId) => `${prefix}:questions:${id}`,
    /** Channel: answers to one process' questions. */
    answers: (process: string) => `${prefix}:answers:${process}`,
    /** String: the process that hands out the first credentials. */
    firstStart: `${prefix}:first-start`,
    /** BullMQ's own prefix; its queues are named `{<account>}`. */
    lanes: `${prefix}:lane`,
    /** What BullMQ's keys of one of them begin with. */
    lane: (id: AccountId) => `${prefix}:lane:{${id}}`,
    /** String: where the running gateway is reached, for the URLs that the command line prints. */
    url: `${prefix}:url`,
    /** Set: every lane that ever held an intent. */
    laneNames: `${prefix}:lanes`,
    /** Channel: names of lanes that have work. */
    doorbell: `${prefix}:doorbell`,
    /** Channel: outcomes for the calls that wait in one process. */
    replies: (process: string) => `${prefix}:replies:${process}`,
  };
}

export type CredentialKind = "key" | "webhook" | "session";

/** Of a user; a webhook is of an account. */
export type UserCredentialKind = Exclude<CredentialKind, "webhook">;

/** Nobody listens: what is published there only goes to the replicas. */
export const MARK_CHANNEL = "gw:replicated";

/** What a key begins with up to its hash tag, which says in which slot it lies; undefined without one. */
export const upToTag = (key: string): string | undefined => /^[^{]*\{[^}]+\}/.exec(key)?.[0];

/** A key in the slot of any other, with or without a hash tag: written so that WAIT counts it. */
export const markBeside = (key: string): string =>
  `${upToTag(key) ?? `${key.split(":")[0]}:{${key}}`}:replicated`;
