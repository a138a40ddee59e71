import { connectionId, type ConnectionId } from "../domain/ids.ts";
import type { SettingsChange, SettingValue } from "../trading/connections/connection-setups.ts";
import { brokerInWords, noticesInWords } from "./broker-words.ts";
import {
  chosenName,
  type Command,
  type CommandContext,
  required,
  table,
  UsageError,
  when,
} from "./command-words.ts";
import type { CommandConnections } from "./open-uses.ts";
import { readSecrets, secretVariable } from "./secret-input.ts";

export const CONNECTION_COMMANDS: Readonly<Record<string, Command>> = {
  "connection list": listConnections,
  "connection brokers": listBrokers,
  "connection add": addConnection,
  "connection edit": editConnection,
  "connection pause": async (context) => await pauseConnection(context, true),
  "connection resume": async (context) => await pauseConnection(context, false),
  "connection test": testConnection,
  "connection remove": removeConnection,
  "connection reconnect": reconnectConnection,
};

async function listConnections({ store }: CommandContext): Promise<string> {
  const { connections } = await store.openConnections();
  const all = await connections.listConnections(store.user);
  const rows = all.map(({ connectionId: id, broker, environment, status, ...rest }) => [
    id,
    rest.setup?.name ?? "-",
    broker,
    environment,
    rest.setup?.paused === true ? "paused" : status,
    when(rest.since),
    rest.reason ?? "-",
  ]);
  return table(["id", "name", "broker", "environment", "status", "since", "reason"], rows);
}

async function listBrokers({ store, positionals: [only] }: CommandContext): Promise<string> {
  const { catalog } = await store.openConnections();
  const offers = catalog.offers().filter(({ broker }) => (only ?? broker) === broker);
  if (offers.length > 0) return offers.map(brokerInWords).join("\n\n");
  throw new UsageError(`There is no broker "${only}"; there are ${catalog.names().join(", ")}`);
}

async function addConnection(context: CommandContext): Promise<string> {
  const { store, options } = context;
  const broker = required(context.positionals[0], "the broker");
  const environment = toEnvironment(required(options["environment"], "--environment"));
  const name = chosenName(options);
  const { connections, catalog } = await store.openConnections();
  const fields = catalog.secretsOf(broker);
  const settings = { ...readSet(context, catalog, broker), ...(await secretsOf(context, fields)) };
  const added = await connections.addConnection(store.user, {
    broker,
    environment,
    settings,
    ...(name !== undefined && { name }),
  });
  const done = `${added.connectionId} is added${whenRunning(context, "and is logged in now")}`;
  const offer = catalog.offers().find((one) => one.broker === broker);
  return [done, ...noticesInWords(offer ?? { notices: [] })].join("\n");
}

async function editConnection(context: CommandContext): Promise<string> {
  const { store, options, unset } = context;
  const id = idOf(context);
  const name = chosenName(options);
  const { connections, catalog } = await store.openConnections();
  const { broker } = await connections.findConnection(store.user, id);
  const settings: SettingsChange = {
    ...readSet(context, catalog, broker),
    ...(await secretsOf(context, catalog.secretsOf(broker))),
    ...Object.fromEntries(unset.map((field) => [field, null])),
  };
  const hasSettings = Object.keys(settings).length > 0;
  if (!hasSettings && name === undefined) throw new UsageError("There is nothing to change");
  await connections.changeConnection(store.user, id, {
    ...(name !== undefined && { name }),
    ...(hasSettings && { settings }),
  });
  return `${id} is changed${hasSettings ? whenRunning(context, "and is logged in anew") : ""}`;
}

async function pauseConnection(context: CommandContext, paused: boolean): Promise<string> {
  const { store } = context;
  const id = idOf(context);
  const { connections } = await store.openConnections();
  await connections.changeConnection(store.user, id, { paused });
  if (paused) return `${id} is paused: its accounts are inactive`;
  return `${id} goes on${whenRunning(context, "now")}`;
}

async function testConnection(context: CommandContext): Promise<string> {
  const { store } = context;
  const id = idOf(context);
  const { connections } = await store.openConnections();
  const trial = await connections.testConnection(store.user, id);
  if (!("accounts" in trial)) return `${id}: ${trial.result}. ${trial.reason}`;
  const rows = trial.accounts.map((one) => [one.accountId, one.name, one.active ? "yes" : "no"]);
  return `${id}: ${trial.result}\n${table(["account", "name", "active"], rows)}`;
}

async function removeConnection(context: CommandContext): Promise<string> {
  const id = idOf(context);
  const { connections } = await context.store.openConnections();
  await connections.removeConnection(context.store.user, id);
  return `${id} is removed: its accounts are inactive, what is open at the broker stays there`;
}

async function reconnectConnection(context: CommandContext): Promise<string> {
  const { store } = context;
  const id = idOf(context);
  const { connections } = await store.openConnections();
  const { next } = await connections.reconnectConnection(store.user, id);
  return store.isRunning ? `${id}: ${next}` : `${id} logs in when the gateway starts`;
}

const idOf = ({ positionals }: CommandContext): ConnectionId =>
  connectionId(required(positionals[0], "the connection"));

const whenRunning = ({ store }: CommandContext, now: string): string =>
  store.isRunning ? `, ${now}` : "; it is logged in when the gateway starts";

function toEnvironment(text: string): "demo" | "live" {
  if (text === "demo" || text === "live") return text;
  throw new UsageError(`"${text}" is no environment; environments are demo and live`);
}

/** Texts become what the broker's schema says; what it does not know is refused by it. */
function readSet(
  { set }: CommandContext,
  catalog: CommandConnections["catalog"],
  broker: string,
): Record<string, SettingValue> {
  const secrets = catalog.secretsOf(broker);
  const types = catalog.kindOf(broker)?.settings.properties ?? {};
  const settings: Record<string, SettingValue> = {};
  for (const pair of set) {
    const split = pair.indexOf("=");
    const field = pair.slice(0, Math.max(split, 0));
    // What follows is not repeated: it may be a secret all the same.
    if (split < 1) throw new UsageError("--set takes name=value");
    if (secrets.includes(field)) throw new UsageError(insteadOfSet(field));
    settings[field] = toValue(pair.slice(split + 1), types[field]?.["type"]);
  }
  return settings;
}

const insteadOfSet = (field: string): string =>
  `${field} is a secret, and a command line is no place for one: use --secrets prompt, ` +
  `--secrets stdin (a line ${field}=…) or the variable ${secretVariable(field)}`;

function toValue(text: string, type: unknown): SettingValue {
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  const isNumber = type === "integer" || type === "number";
  return isNumber && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

async function secretsOf({ options, input }: CommandContext, fields: readonly string[]) {
  const source = options["secrets"] ?? "environment";
  if (source === "environment" || source === "stdin" || source === "prompt") {
    return await readSecrets(fields, source, input);
  }
  throw new UsageError("--secrets takes prompt or stdin");
}
