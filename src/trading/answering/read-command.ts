/** What a linked person may ask. `of` is as it was written. */
export type Command =
  | { readonly kind: Reading | "help" }
  | { readonly kind: Acting; readonly of: string }
  /** `why` is in words. */
  | { readonly kind: "refused"; readonly why: string };

export const READINGS = ["status", "positions", "pnl", "alerts", "connections"] as const;
export type Reading = (typeof READINGS)[number];

export const ACTINGS = ["flatten", "kill", "pause"] as const;
export type Acting = (typeof ACTINGS)[number];

/** `@` names the bot that is meant; in a chat of two it is this one. */
const COMMAND = /^\/([a-z_]{1,32})(?:@\w{1,64})?(?:\s+([\s\S]*))?$/i;
/** What somebody may write who wants a guard to go. */
const LOOSENING = /(^|\s)(off|0|false|end|disable|resume)$/i;

export const ONLY_TIGHTER =
  "From here a kill switch is only switched on. Switch it off in the console";

/** Undefined for what is no command. `isName`: whether an account is called exactly that. */
export function readCommand(
  text: string,
  isName: (written: string) => boolean = () => false,
): Command | undefined {
  const [, name = "", rest = ""] = COMMAND.exec(text.trim()) ?? [];
  const of = rest.trim().replaceAll(/\s+/g, " ");
  const isLoosening = LOOSENING.test(of) && !isName(of);
  switch (name.toLowerCase()) {
    case "":
      return undefined;
    case "status":
    case "positions":
    case "pnl":
    case "alerts":
    case "connections":
      return { kind: name.toLowerCase() as Reading };
    case "start":
    case "help":
      return { kind: "help" };
    case "flatten":
      return of === ""
        ? refused("Name an account: /flatten ACCOUNT, or /flatten all")
        : flatten(of);
    case "kill":
      return isLoosening ? refused(ONLY_TIGHTER) : { kind: "kill", of: of || "all" };
    case "pause":
      return of === ""
        ? refused("Name an account or a connection: /pause NAME. /kill stops all of them")
        : isLoosening
          ? refused(ONLY_TIGHTER)
          : { kind: "pause", of };
    default:
      return refused("There is no such command: /help lists them");
  }
}

/** The code of `/start CODE`, as a bot's link sends it too; undefined for anything else. */
export function readLinkCode(text: string): string | undefined {
  return /^\/start(?:@\w{1,64})?\s+(\S{1,64})\s*$/i.exec(text.trim())?.[1];
}

const flatten = (of: string): Command => ({ kind: "flatten", of });
const refused = (why: string): Command => ({ kind: "refused", why });
