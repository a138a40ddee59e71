/** Turns the flat list that a script gives for a hash into an object. */
export function toHash(reply: unknown): Readonly<Record<string, string>> {
  const hash: Record<string, string> = {};
  if (!Array.isArray(reply)) return hash;
  for (let index = 0; index + 1 < reply.length; index += 2) {
    hash[String(reply[index])] = String(reply[index + 1]);
  }
  return hash;
}
