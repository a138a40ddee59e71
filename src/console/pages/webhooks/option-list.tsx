import { profileWord } from "./profiles.ts";
import type { Webhook } from "./types.ts";

/** The options that are set; for the others the gateway does as it does by itself. */
export function OptionList({ webhook }: { webhook: Webhook }) {
  const options = optionsInWords(webhook);
  return (
    <dl class="pairs">
      <dt>Profile</dt>
      <dd>{profileWord(webhook.profile)}</dd>
      {options.map(([name, value]) => (
        <>
          <dt key={name}>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
      {options.length === 0 && (
        <>
          <dt>Options</dt>
          <dd>none set</dd>
        </>
      )}
    </dl>
  );
}

function optionsInWords(webhook: Webhook): readonly (readonly [string, string])[] {
  const map = Object.entries(webhook.symbolMap ?? {}).map(([from, to]) => `${to} for ${from}`);
  const seconds = (value: number | null) => (value === null ? null : `${value} s`);
  const all: readonly (readonly [string, string | number | null])[] = [
    ["Opposite signal", swapWord(webhook)],
    ["Extra fields ignored", webhook.allowedExtraFields?.join(", ") ?? null],
    ["Default quantity", webhook.defaultQty],
    ["Multiplier", webhook.multiplier],
    ["Symbol map", map.length === 0 ? null : map.join(", ")],
    ["Allowed symbols", webhook.allowedSymbols?.join(", ") ?? null],
    ["Allowed side", webhook.allowedSide],
    ["Senders", webhook.allowedSenders?.join(", ") ?? null],
    ["Entries expire after", seconds(webhook.entryMaxAgeSeconds)],
    ["Exits expire after", seconds(webhook.exitMaxAgeSeconds)],
    ["Duplicate window", seconds(webhook.duplicateWindowSeconds)],
    ["Alerts per minute", webhook.rateLimitPerMinute],
  ];
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)] as const]));
}

function swapWord({ profile, sideSwap }: Webhook): string | null {
  if (profile !== "traderspost") return null;
  if (sideSwap === "on") return "closes, then enters the other side";
  return sideSwap === "subtract" ? "closes, then enters with the rest" : "closes and stops there";
}
