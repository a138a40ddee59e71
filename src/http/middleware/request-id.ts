const WELL_FORMED = /^[A-Za-z0-9_.:-]{1,64}$/;

/** The caller's own name for the request, where it is harmless to repeat in headers and logs. */
export function acceptRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && WELL_FORMED.test(header) ? header : undefined;
}
