import { SECRET_SETTINGS } from "../../domain/notify/destination.ts";
import { SealError, type SecretBox } from "../connections/ports.ts";
import type { StoredDestination } from "./destination-store.ts";
import type { OpenedSettings } from "./ports.ts";

type Plain = Readonly<Record<string, string | number>>;

const isSecret = (kind: keyof typeof SECRET_SETTINGS, name: string): boolean =>
  (SECRET_SETTINGS[kind] as readonly string[]).includes(name);

/** Settings as they are stored: each secret of them sealed for this destination alone. */
export async function sealSettings(
  secrets: Pick<SecretBox, "seal">,
  { id, kind }: Pick<StoredDestination["destination"], "id" | "kind">,
  settings: Plain,
): Promise<Plain> {
  const sealed = await Promise.all(
    Object.entries(settings).map(async ([name, value]) => {
      if (!isSecret(kind, name)) return [name, value] as const;
      return [name, await secrets.seal(id, name, String(value))] as const;
    }),
  );
  return Object.fromEntries(sealed);
}

/** What may be shown: of a secret, that it is set. */
export function shownSettings({
  destination: { kind },
  settings,
}: StoredDestination): Readonly<Record<string, string | number | true>> {
  const shown = Object.entries(settings).map(
    ([name, value]) => [name, isSecret(kind, name) ? true : value] as const,
  );
  return Object.fromEntries(shown);
}

/** In plain text, for a channel; where a secret does not open, why. */
export async function openSettings(
  secrets: Pick<SecretBox, "open">,
  { destination: { id, kind }, settings, secrets: signing }: StoredDestination,
  now: number,
): Promise<
  | { readonly kind: "opened"; readonly settings: OpenedSettings }
  | { readonly kind: "unreadable"; readonly reason: string }
> {
  try {
    const opened = await Promise.all(
      Object.entries(settings).map(async ([name, value]) => {
        if (!isSecret(kind, name)) return [name, value] as const;
        return [name, await secrets.open(id, name, String(value))] as const;
      }),
    );
    const valid = signing.filter(({ until }) => until === undefined || now < until);
    const plain = await Promise.all(
      valid.map(async ({ sealed }) => await secrets.open(id, SIGNING_SECRET, sealed)),
    );
    const all = { kind, settings: Object.fromEntries(opened), secrets: plain };
    // By its kind it was checked as it was stored.
    return { kind: "opened", settings: all as unknown as OpenedSettings };
  } catch (error) {
    const isTold = error instanceof SealError;
    const reason = isTold ? error.message : "Its secrets cannot be opened: the log says why";
    return { kind: "unreadable", reason };
  }
}

/** The name under which a signed webhook's secrets are sealed. */
export const SIGNING_SECRET = "secret";
