import type { TSchema } from "@sinclair/typebox";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Config } from "../../config/index.ts";
import type { Problem } from "../errors.ts";
import type {
  BrokerCatalog,
  BrokerOffer,
  ConnectionSettings,
  SettingField,
  SettingValue,
} from "../trading/connections/connection-setups.ts";
import type { BrokerKind, BrokerKinds } from "./broker-kind.ts";

interface CompiledKind {
  readonly kind: BrokerKind;
  /** Fills in what was left out and has a default. */
  readonly validate: ValidateFunction;
}

/** What is asked of connections, with what they are opened with. */
export interface OpenCatalog extends BrokerCatalog {
  /** Undefined when this gateway does not have the broker. */
  readonly kindOf: (broker: string) => BrokerKind | undefined;
  readonly withDefaults: (broker: string, settings: ConnectionSettings) => ConnectionSettings;
}

// One for the process: Ajv keeps what it compiled by schema.
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  verbose: true,
  useDefaults: true,
  // That a schema is one is tested.
  validateSchema: false,
});

/** What a validator found, in the words of the API. */
type ToProblems = (found: readonly ErrorObject[], subject: string) => readonly Problem[];

/** Checks settings by the schema of their broker. */
export function createBrokerCatalog(
  kinds: BrokerKinds,
  { ALLOW_LOCAL_BROKERS: allowsLocal }: Pick<Config, "ALLOW_LOCAL_BROKERS">,
  toProblems: ToProblems,
): OpenCatalog {
  const compiled = new Map(
    Object.entries(kinds).map(([broker, kind]): [string, CompiledKind] => [
      broker,
      { kind, validate: ajv.compile(kind.settings) },
    ]),
  );

  return {
    names: () => [...compiled.keys()],
    offers: () => [...compiled].map(([broker, { kind }]) => toOffer(broker, kind, isRefused)),
    environmentsOf: (broker) => compiled.get(broker)?.kind.environments ?? [],
    kindOf: (broker) => compiled.get(broker)?.kind,
    secretsOf: (broker) => compiled.get(broker)?.kind.secrets ?? [],
    placesOf: (broker) => {
      const { local = [], places = [] } = compiled.get(broker)?.kind ?? {};
      return [...local, ...places];
    },
    loginOf: (broker, settings) =>
      (compiled.get(broker)?.kind.login ?? []).map((field) =>
        comparable(String(settings[field] ?? "")),
      ),

    check: (broker, settings, kept) => {
      const one = compiled.get(broker);
      if (one === undefined) return [{ path: "broker", message: "is no broker of this gateway" }];
      // What is kept is there and was right: only its presence is put in its place.
      const present = Object.fromEntries(kept.map((field) => [field, ""]));
      one.validate({ ...present, ...settings });
      const paths = new Set(kept.map((field) => `/${field}`));
      const found = (one.validate.errors ?? []).filter(
        ({ instancePath }) => !paths.has(instancePath),
      );
      const refused = Object.keys(settings).filter((field) => isRefused(one.kind, field));
      const others = toProblems(found, "").filter(({ path }) => !refused.includes(path));
      return atSettings([...refused.map((path) => ({ path, message: LOCAL })), ...others]);
    },

    withDefaults: (broker, settings) => {
      const filled = { ...settings };
      compiled.get(broker)?.validate(filled);
      return filled;
    },
  };

  /** Whoever may add connections could otherwise have the gateway speak to what else runs beside it. */
  function isRefused({ local }: BrokerKind, field: string): boolean {
    return !allowsLocal && local.includes(field);
  }
}

const THIS_MACHINE: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** One login may be written in several ways; where two may be the same, they count as the same. */
function comparable(text: string): string {
  const written = text.normalize("NFKC").trim();
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written)) return written;
  // Parsing puts the host in lower case and leaves out a port that goes without saying.
  const { protocol, hostname, port, pathname } = new URL(written);
  const host = THIS_MACHINE.has(hostname) ? "localhost" : hostname;
  return `${protocol}//${host}:${port}${pathname.replace(/\/+$/, "")}`;
}

const LOCAL = "is for simulators on the gateway's machine, and needs ALLOW_LOCAL_BROKERS=true";

function atSettings(problems: readonly Problem[]): Problem[] {
  return problems.map(({ path, message }) => ({
    path: path === "" ? "settings" : `settings.${path}`,
    message,
  }));
}

function toOffer(
  broker: string,
  kind: BrokerKind,
  isRefused: (kind: BrokerKind, field: string) => boolean,
): BrokerOffer {
  const { settings, secrets, environments, notices } = kind;
  const required = new Set(settings.required ?? []);
  return {
    broker,
    label: settings.title ?? broker,
    environments,
    notices,
    fields: Object.entries(settings.properties)
      .filter(([name]) => !isRefused(kind, name))
      .map(([name, schema]) =>
        toField(name, schema, { isRequired: required.has(name), isSecret: secrets.includes(name) }),
      ),
  };
}

/** A field with a default is required of what is opened, not of who fills in the form. */
function toField(
  name: string,
  schema: TSchema,
  { isRequired, isSecret }: { readonly isRequired: boolean; readonly isSecret: boolean },
): SettingField {
  const { title = name, description } = schema;
  const preset = schema.default as SettingValue | undefined;
  return {
    name,
    label: title,
    type: typeOf(schema),
    required: isRequired && preset === undefined,
    secret: isSecret,
    ...(description !== undefined && { description }),
    ...(preset !== undefined && { default: preset }),
    ...optionsOf(schema),
  };
}

/** Of a choice between words, each with what it is called. */
function optionsOf({ anyOf }: TSchema): Pick<SettingField, "options"> {
  if (!Array.isArray(anyOf)) return {};
  const choices = anyOf as readonly TSchema[];
  const options = choices.map(({ const: value, title }) => ({
    value: String(value),
    label: title ?? String(value),
  }));
  return { options };
}

function typeOf({ type }: TSchema): SettingField["type"] {
  if (type === "boolean") return "boolean";
  return type === "number" || type === "integer" ? "number" : "text";
}
