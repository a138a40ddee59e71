import { GatewayError } from "../../errors.ts";
import type { BodyReader } from "../requests/validate.ts";

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/** No form of another site's page can send this type. */
function refuseOtherTypes(type: string | undefined): void {
  if (type === "application/json" || (type !== undefined && JSON_TYPE.test(type))) return;
  throw new GatewayError(
    "UNSUPPORTED_MEDIA_TYPE",
    "The body must be sent with Content-Type: application/json, in UTF-8",
  );
}

/** A body as JSON. One that may be absent comes without a type then: `fetch` sends none. */
export async function readJsonBody(
  type: string | undefined,
  read: () => Promise<string>,
  parse: BodyReader,
): Promise<unknown> {
  if (type !== undefined || !parse.mayBeAbsent) refuseOtherTypes(type);
  const text = await read();
  if (text.trim() !== "") refuseOtherTypes(type);
  return parse(text);
}
