/** Of an IANA time zone. An offset such as +02:00 is none: it knows no summer time. */
export function isZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text }).format();
    return true;
  } catch {
    return false;
  }
}

export const NO_ZONE = "must be an IANA time zone such as America/Chicago";
