import type { Profile } from "./types.ts";

/** The services whose words a webhook's messages are written in, in the order of the form. */
const WORDS: Readonly<Record<Profile, { readonly word: string; readonly hint: string }>> = {
  native: {
    word: "This gateway's own",
    hint: "Buy and sell are sent exactly as they are; close flattens the whole account.",
  },
  position: {
    word: "Position of the strategy",
    hint: "The account is brought to the strategy's position. The safest choice for a strategy: if an alert is lost, the next one corrects it.",
  },
  traderspost: {
    word: "TradersPost",
    hint: "Buy and sell are a side: resting entries are cancelled and the other side is closed first; the same side again is refused.",
  },
  crosstrade: {
    word: "CrossTrade",
    hint: "Commands such as PLACE and CLOSEPOSITION, for this webhook's account alone.",
  },
  pickmytrade: {
    word: "PickMyTrade",
    hint: "Exits by price in tp and sl. Amounts in dollars are refused, because they are ambiguous.",
  },
};

export const PROFILES: readonly (readonly [Profile, string])[] = (
  Object.keys(WORDS) as Profile[]
).map((profile) => [profile, WORDS[profile].word]);

interface ChangedReading {
  readonly text: string;
  /** Given where it is about messages of one profile. */
  readonly of?: Profile;
}

/** Messages that a gateway of an earlier version read otherwise. */
const CHANGED_READINGS: readonly ChangedReading[] = [
  {
    text: "An exchange in a message, beside the symbol or before it, must be the contract's own. Entries for any other exchange are refused, and so are exits for a known one such as NYSE.",
  },
  {
    text: "A stop or target that a message names and leaves blank is refused. Leave the field out, or write its level.",
  },
  { text: "Here 0 still means none, and the answer's notes say so.", of: "pickmytrade" },
  {
    text: "The age of an entry counts from the alert's firing if the message says it. Write {{timenow}} there, not {{time}}.",
  },
  {
    text: "A message that names the strategy's position and its last order opens nothing against that order. Two messages of one bar that arrive swapped end flat, with an alarm.",
  },
  {
    text: "A second fill of one bar needs an alertId of its own: copy the new message into its alert.",
  },
  { text: "Words such as close_long and exit_short close one side only." },
  { text: "An exit passes whatever is in fields that it does not read." },
];

export const changedReadings = (profile: Profile | null): readonly string[] =>
  CHANGED_READINGS.filter(({ of }) => of === undefined || of === (profile ?? "native")).map(
    ({ text }) => text,
  );

export const profileWord = (profile: Profile | null): string => WORDS[profile ?? "native"].word;

export const profileHint = (profile: Profile): string => WORDS[profile].hint;
