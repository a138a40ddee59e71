/** What is said where a text is none. */
export const NO_ZONE = "must be an IANA time zone such as America/Chicago";
