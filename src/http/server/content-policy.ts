const OWN_FILES_ALONE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** A page's Content-Security-Policy: the gateway's own files alone, no frame around it, and `more`. */
export const contentPolicyOf = (...more: readonly string[]): string =>
  [...OWN_FILES_ALONE, ...more].join("; ");
