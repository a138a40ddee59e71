import { isIP } from "node:net";
import type { Static } from "@sinclair/typebox";
import { isTimeZone } from "../../domain/calendar/local-time.ts";
import { CHANNEL_KINDS, type ChannelKind, type Rule } from "../../domain/notify/destination.ts";
import { errors, type Problem } from "../../errors.ts";
import type {
  ChannelTerms,
  DestinationChange,
  DestinationTerms,
} from "../../trading/notify/destination-uses.ts";
import { accountOf } from "./path-ids.ts";
import { NO_ZONE } from "./time-zone.ts";
import { type BodyReader, validators } from "./validate.ts";
import {
  type ChangeDestinationBody,
  type CreateDestinationBody,
  settingsChange,
} from "../schemas/destination.ts";

/** A new destination from its body, in the domain's words. */
export function readNewDestination(
  body: Static<typeof CreateDestinationBody>,
): DestinationTerms & ChannelTerms {
  checkZones(body);
  checkHost(body.settings);
  const { kind, settings, name, rules = [], quietHours, summary, inOrder, answers } = body;
  return {
    // Sound because the schema of the kind has let the settings through.
    ...({ kind, settings } as ChannelTerms),
    name,
    rules: rules.map(readRule),
    ...(quietHours !== undefined && { quietHours }),
    ...(summary !== undefined && { summary }),
    ...(inOrder === true && { inOrder }),
    ...(answers === true && { answers }),
  };
}

export function readDestinationChange(
  body: Static<typeof ChangeDestinationBody>,
): DestinationChange {
  checkZones(body);
  const { rules, inOrder, answers, ...rest } = body;
  return {
    ...rest,
    ...(rules !== undefined && { rules: rules.map(readRule) }),
    ...(inOrder !== undefined && { inOrder: inOrder || null }),
    ...(answers !== undefined && { answers: answers || null }),
  };
}

const SETTINGS_READERS = Object.fromEntries(
  CHANNEL_KINDS.map((kind) => [kind, validators.bodyReader(settingsChange(kind))]),
) as Readonly<Record<ChannelKind, BodyReader>>;

/** Which settings there can be is known once the destination is. */
export function checkSettings(kind: ChannelKind, settings: object): void {
  SETTINGS_READERS[kind](JSON.stringify({ settings }));
  checkHost(settings);
}

/** Of a mail server, the one kind of settings with a host. */
function checkHost(settings: object): void {
  const host = "host" in settings ? String(settings.host) : undefined;
  if (host === undefined || isHost(host)) return;
  const message = "must be a host's name such as smtp.example.com, or its address";
  throw errors.validationFailed([{ path: "settings.host", message }]);
}

const LABEL = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
const HOST_NAME = new RegExp(`^(${LABEL}\\.)*${LABEL}\\.?$`);
/** A name does not end in a number: what does is an address, or none at all. */
const ENDS_IN_NUMBER = /(^|\.)(\d+|0[xX][\dA-Fa-f]*)\.?$/;

const isHost = (text: string): boolean =>
  isIP(text) !== 0 || (HOST_NAME.test(text) && !ENDS_IN_NUMBER.test(text));

type GivenRule = NonNullable<Static<typeof ChangeDestinationBody>["rules"]>[number];

const readRule = ({ accounts, ...rule }: GivenRule): Rule => ({
  ...rule,
  ...(accounts !== undefined && { accounts: accounts.map(accountOf) }),
});

function checkZones(body: {
  readonly quietHours?: { readonly zone: string } | null;
  readonly summary?: { readonly zone: string } | null;
}): void {
  const problems = (["quietHours", "summary"] as const).flatMap((part): Problem[] => {
    const zone = body[part]?.zone;
    return zone === undefined || isTimeZone(zone)
      ? []
      : [{ path: `${part}.zone`, message: NO_ZONE }];
  });
  if (problems.length > 0) throw errors.validationFailed(problems);
}
