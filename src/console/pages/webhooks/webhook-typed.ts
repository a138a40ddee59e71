import {
  OPTION_NAMES,
  type OptionField,
  type OptionName,
  type WebhookOption,
  webhookOption,
} from "../../../domain/declared/webhook-options.ts";
import { listOf, mapOf, mapText, numberOr } from "../../parts/typed-text.ts";
import type { ChangeWebhookBody, CreateWebhookBody, Profile, Webhook } from "./types.ts";

/** The options that the form asks for one like the other; the profile has a place of its own. */
type FormName = Exclude<OptionName, "profile">;

export type FormOption = WebhookOption & {
  readonly name: FormName;
  readonly field: OptionField;
};

export const FORM_OPTIONS: readonly FormOption[] = OPTION_NAMES.flatMap((name) => {
  const option = webhookOption(name);
  return name === "profile" || option.field === undefined
    ? []
    : [{ ...option, name, field: option.field }];
});

/** A webhook as it stands in the form: everything is text, and empty is what the gateway does by itself. */
export interface WebhookTyped extends Readonly<Record<FormName, string>> {
  readonly accountId: string;
  /** Whose accounts its alerts go to; empty: to the account alone. */
  readonly groupId: string;
  readonly name: string;
  readonly profile: Profile;
  /** Whether the box is ticked beside `allowedSenders`, which lacks that item. */
  readonly fromTradingView: boolean;
}

export function typedOf(webhook: Webhook | undefined, accountId = ""): WebhookTyped {
  const typed = FORM_OPTIONS.map((option) => [option.name, textOf(option, webhook?.[option.name])]);
  const { item = "" } = webhookOption("allowedSenders").field?.box ?? {};
  return {
    accountId: webhook?.accountId ?? accountId,
    groupId: webhook?.groupId ?? "",
    name: webhook?.name ?? "",
    profile: webhook?.profile ?? "native",
    fromTradingView: webhook?.allowedSenders?.includes(item) ?? false,
    ...(Object.fromEntries(typed) as Record<FormName, string>),
  };
}

function textOf({ field }: FormOption, value: Webhook[FormName] | undefined): string {
  const { choices, box } = field;
  if (choices !== undefined) {
    return (choices.find(([word]) => word === value) ?? choices[0])?.[0] ?? "";
  }
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.filter((item) => item !== box?.item).join(", ");
  return typeof value === "object" ? mapText(value) : String(value);
}

type Options = Omit<ChangeWebhookBody, "accountId" | "groupId" | "name" | "paused">;

/** What the form asks for: null where the gateway's own holds, and text where it is no number. */
function askedOf(typed: WebhookTyped): Readonly<Record<string, unknown>> {
  const asked = FORM_OPTIONS.map((option) => [option.name, valueOf(option, typed)]);
  return {
    profile: typed.profile === "native" ? null : typed.profile,
    ...(Object.fromEntries(asked) as Readonly<Record<string, unknown>>),
  };
}

function valueOf({ name, kind, field }: FormOption, typed: WebhookTyped): unknown {
  const text = typed[name].trim();
  switch (kind) {
    case "choice":
    case "side":
      return text === field.choices?.[0]?.[0] ? null : text;
    case "whole":
      return text === "" ? null : numberOr(text);
    case "decimal":
    case "name":
      return text === "" ? null : text;
    case "list": {
      const isTicked = field.box !== undefined && typed.fromTradingView;
      const items = [...(isTicked ? [field.box.item] : []), ...listOf(text)];
      return items.length === 0 ? null : items;
    }
    case "map": {
      const map = mapOf(text);
      return Object.keys(map).length === 0 ? null : map;
    }
  }
}

/** One of both: where its alerts go. */
const targetOf = ({ accountId, groupId }: WebhookTyped) =>
  groupId === "" ? { accountId } : { groupId };

/** A webhook of a group has an account too, which means nothing. */
const isMoved = ({ accountId, groupId }: WebhookTyped, webhook: Webhook): boolean =>
  groupId !== (webhook.groupId ?? "") || (groupId === "" && accountId !== webhook.accountId);

/** For a new webhook: what is left empty is left out. */
export function creationOf(typed: WebhookTyped): CreateWebhookBody {
  const given = Object.entries(askedOf(typed)).filter(([, value]) => value !== null);
  return {
    ...targetOf(typed),
    ...(typed.name.trim() !== "" && { name: typed.name.trim() }),
    ...(Object.fromEntries(given) as Partial<CreateWebhookBody>),
  };
}

/** What differs from what is stored; empty when nothing does. */
export function changeOf(typed: WebhookTyped, webhook: Webhook): ChangeWebhookBody {
  const before = askedOf(typedOf(webhook));
  const changed = Object.entries(askedOf(typed)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  const name = typed.name.trim();
  return {
    ...(isMoved(typed, webhook) && targetOf(typed)),
    ...(name !== "" && name !== webhook.name && { name }),
    ...(Object.fromEntries(changed) as Options),
  };
}
