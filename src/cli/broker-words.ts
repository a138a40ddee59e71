import type { BrokerOffer, SettingField } from "../trading/connections/connection-setups.ts";
import { table } from "./command-words.ts";

/** What a connection to a broker asks for, and what to know before one is added. */
export function brokerInWords(offer: BrokerOffer): string {
  const { broker, label, environments, fields } = offer;
  const rows = fields.map((field) => [
    field.name,
    needOf(field),
    (field.options ?? []).map(({ value }) => value).join(" ") || "-",
    field.description ?? "-",
  ]);
  return [
    `${broker}: ${label}. Environments: ${environments.join(", ")}`,
    table(["setting", "left out", "values", "what it is"], rows),
    ...noticesInWords(offer),
  ].join("\n");
}

export const noticesInWords = ({ notices }: Pick<BrokerOffer, "notices">): readonly string[] =>
  notices.map(({ text, source, asOf }) => `Note: ${text}. (${source}; looked up on ${asOf})`);

function needOf({ required, secret, default: byDefault }: SettingField): string {
  if (required) return secret ? "needed, a secret" : "needed";
  return byDefault === undefined ? "-" : String(byDefault);
}
