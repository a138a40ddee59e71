import { Pair } from "../../parts/page.tsx";
import { profileWord } from "./profiles.ts";
import type { Webhook } from "./types.ts";
import { FORM_OPTIONS, type FormOption } from "./webhook-typed.ts";

/** The options that are set; for the others the gateway does as it does by itself. */
export function OptionList({ webhook }: { webhook: Webhook }) {
  const options = optionsInWords(webhook);
  return (
    <dl class="pairs">
      <Pair name="Profile">{profileWord(webhook.profile)}</Pair>
      {options.map(([name, value]) => (
        <Pair key={name} name={name}>
          {value}
        </Pair>
      ))}
      {options.length === 0 && <Pair name="Options">none set</Pair>}
    </dl>
  );
}

function optionsInWords(webhook: Webhook): readonly (readonly [string, string])[] {
  return FORM_OPTIONS.flatMap((option) => {
    const { name, field } = option;
    if (field.onlyFor !== undefined && field.onlyFor !== webhook.profile) return [];
    const value = inWords(option, webhook[name]);
    return value === undefined ? [] : [[field.listed ?? field.label, value] as const];
  });
}

/** Undefined where nothing is set, unless the first of the choices then has words of its own. */
function inWords(option: FormOption, value: Webhook[FormOption["name"]]): string | undefined {
  const { choices } = option.field;
  if (choices !== undefined) {
    const [word, , listed] = choices.find((one) => one[0] === value) ?? choices[0] ?? [""];
    return listed ?? (word === "" ? undefined : word);
  }
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object") return mapInWords(value);
  return option.kind === "whole" && option.unit === "seconds" ? `${value} s` : String(value);
}

function mapInWords(map: Readonly<Record<string, string>>): string | undefined {
  const pairs = Object.entries(map).map(([from, to]) => `${to} for ${from}`);
  return pairs.length === 0 ? undefined : pairs.join(", ");
}
