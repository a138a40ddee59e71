import { GatewayError } from "../../errors.ts";

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/** No form of another site's page can send this type. */
export function refuseOtherTypes(type: string | undefined): void {
  if (type === "application/json" || (type !== undefined && JSON_TYPE.test(type))) return;
  throw new GatewayError(
    "UNSUPPORTED_MEDIA_TYPE",
    "The body must be sent with Content-Type: application/json, in UTF-8",
  );
}
