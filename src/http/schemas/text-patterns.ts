import { SHOWN_NAME } from "../../domain/visible-text.ts";

/** No control characters. */
export const ONE_LINE = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

/** Printable ASCII without spaces: what fits into a header of HTTP. */
export const TOKEN = "^[!-~]*$";

/** A name that people choose and machines write, for paths and alerts. */
export const PLAIN_NAME = "^[A-Za-z0-9][A-Za-z0-9_.-]*$";

/** One address of mail and nothing else, so that none brings recipients or headers along. */
export const MAIL_ADDRESS =
  '^[^\\s\\u0000-\\u001f\\u007f-\\u009f@<>",;:()\\\\]{1,64}@[^\\s\\u0000-\\u001f\\u007f-\\u009f@<>",;()\\\\]{1,255}$';

/** What is said of a text that does not fit, where an example would not say it. */
export const WORDS_OF_PATTERN: Readonly<Record<string, string>> = {
  [ONE_LINE]: "must not hold control characters",
  [SHOWN_NAME]: "must hold no characters that cannot be seen, or that change how the rest looks",
  [PLAIN_NAME]:
    "must be letters, digits, dots, hyphens and underscores, and begin with a letter or a digit",
  [TOKEN]: "must be letters, digits and signs of ASCII, without spaces",
  [MAIL_ADDRESS]: "must be one mail address such as you@example.com",
};
