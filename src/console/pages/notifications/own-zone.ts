/** The browser's: where it knows none, that of the exchange. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone || "America/Chicago";
