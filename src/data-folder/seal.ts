import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { SealError } from "../trading/connections/ports.ts";

/** Where a sealed text belongs: it opens nowhere else. */
export interface SealedPlace {
  readonly connectionId: string;
  readonly field: string;
}

/** Hides texts in the store from whoever has the store and not the key. */
export interface Sealer {
  readonly seal: (text: string, place: SealedPlace) => string;
  /** Throws `SealError`. */
  readonly open: (sealed: string, place: SealedPlace) => string;
}

export const SEALING_KEY_BYTES = 32;

const VERSION = "v1";
const CIPHER = "aes-256-gcm";
/** What GCM is made for; drawn anew each time, which is safe for far more texts than there will be. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_NAME_BYTES = 4;

/** AES-256-GCM under one key. What is sealed reads `version.key.nonce.tag.text`, in base64url. */
export function createSealer(key: Uint8Array): Sealer {
  const ours = nameOf(key);
  return {
    seal: (text, place) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(placeBytes(ours, place));
      const hidden = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), hidden].map((part) => part.toString("base64url"));
      return [VERSION, ours, ...parts].join(".");
    },

    open: (sealed, place) => {
      const { keyName, nonce, tag, hidden } = parse(sealed, place);
      if (keyName !== ours) {
        throw new SealError(
          `"${place.field}" was sealed with the key ${keyName}, and this gateway has ${ours}: ` +
            "give it the former SEALING_KEY again, or set the field anew",
        );
      }
      try {
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(placeBytes(ours, place)).setAuthTag(tag);
        return Buffer.concat([decipher.update(hidden), decipher.final()]).toString("utf8");
      } catch {
        throw damaged(place);
      }
    },
  };
}

function parse(sealed: string, place: SealedPlace) {
  const [version, keyName = "", ...texts] = sealed.split(".");
  const parts = texts.map((text) => Buffer.from(text, "base64url"));
  // Node overlooks what is no base64url: a text that is not written as we write it was changed.
  const isOurs = parts.every((part, index) => part.toString("base64url") === texts[index]);
  const [nonce, tag, hidden] = parts;
  if (version !== VERSION || !isOurs || parts.length !== 3) throw damaged(place);
  if (nonce?.length !== NONCE_BYTES || tag?.length !== TAG_BYTES) throw damaged(place);
  if (hidden === undefined || !KEY_NAME.test(keyName)) throw damaged(place);
  return { keyName, nonce, tag, hidden };
}

const KEY_NAME = /^[0-9a-f]{8}$/;

/** Tells keys apart, and says nothing about one. */
function nameOf(key: Uint8Array): string {
  if (key.length !== SEALING_KEY_BYTES) throw new SealError("A sealing key has 32 bytes");
  const hash = createHash("sha256").update("name of a sealing key").update(key).digest();
  return hash.subarray(0, KEY_NAME_BYTES).toString("hex");
}

/** As JSON, so that no two places read the same. */
function placeBytes(keyName: string, { connectionId, field }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([VERSION, keyName, connectionId, field]), "utf8");
}

function damaged({ field }: SealedPlace): SealError {
  return new SealError(
    `"${field}" does not open: it was changed, or sealed elsewhere. Set it anew`,
  );
}
