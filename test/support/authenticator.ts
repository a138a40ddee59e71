import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/** What a page hands to `navigator.credentials.create` and `.get`, as far as it is read here. */
interface Asked {
  readonly challenge: string;
  readonly rp?: { readonly id?: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
  readonly excludeCredentials?: readonly { readonly id: string }[];
  readonly allowCredentials?: readonly { readonly id: string }[];
}

export interface AuthenticatorOptions {
  /** The page's origin, as its browser would say. */
  readonly origin: string;
  /** Whether it asks its person for a finger or a code. */
  readonly verifies?: boolean;
  /** Whether it counts its signatures, as a key on a chain does. */
  readonly counts?: boolean;
  /** Whether it says whose passkey it is where it need not. */
  readonly namesUser?: boolean;
}

interface Held {
  readonly id: string;
  readonly userHandle: string;
  readonly rpId: string;
  readonly privateKey: KeyObject;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/**
 * A passkey's authenticator and its browser, in software: makes keys on P-256 with attestation "none",
 * and signs with them (W3C WebAuthn, 6.1 to 6.5). Every byte is what real ones send.
 */
export class Authenticator {
  readonly #options: Required<AuthenticatorOptions>;
  readonly #held: Held[] = [];
  #signatures = 0;

  constructor(options: AuthenticatorOptions) {
    this.#options = { verifies: true, counts: false, namesUser: true, ...options };
  }

  /** The answer of `navigator.credentials.create`, in its JSON form. */
  create(options: object) {
    const { challenge, rp, user } = options as Asked;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const id = randomBytes(16);
    const rpId = rp?.id ?? "";
    const userHandle = user?.id ?? "";
    this.#held.push({ id: toText(id), userHandle, rpId, privateKey });
    const authData = Buffer.concat([
      this.#head(rpId, ATTESTED),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      coseKey(publicKey),
    ]);
    const attestation = cborMap([
      [cborText("fmt"), cborText("none")],
      [cborText("attStmt"), cborMap([])],
      [cborText("authData"), cborBytes(authData)],
    ]);
    return this.#answer(toText(id), {
      clientDataJSON: toText(this.#clientData("webauthn.create", challenge)),
      attestationObject: toText(attestation),
      transports: ["internal"],
    });
  }

  /** The answer of `navigator.credentials.get` with the newest passkey of the site. */
  get(options: object) {
    const { challenge, rpId = "", allowCredentials = [] } = options as Asked;
    const allowed = new Set(allowCredentials.map(({ id }) => id));
    const held = this.#held.findLast(
      (one) => one.rpId === rpId && (allowed.size === 0 || allowed.has(one.id)),
    );
    if (held === undefined) throw new Error("NotAllowedError: no passkey of this site");
    this.#signatures += 1;
    const authenticatorData = this.#head(rpId, 0);
    const clientData = this.#clientData("webauthn.get", challenge);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return this.#answer(held.id, {
      clientDataJSON: toText(clientData),
      authenticatorData: toText(authenticatorData),
      signature: toText(createSign("sha256").update(signed).sign(held.privateKey)),
      // It may leave out whose passkey it is where it was asked for by its id.
      ...((allowed.size === 0 || this.#options.namesUser) && { userHandle: held.userHandle }),
    });
  }

  /** Signs as a copy does that was made before the last signatures. */
  forgetSignatures(): void {
    this.#signatures = 0;
  }

  #answer<Response extends object>(id: string, response: Response) {
    return { id, rawId: id, type: "public-key" as const, response, clientExtensionResults: {} };
  }

  #head(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#options.counts ? this.#signatures : 0);
    const verified = this.#options.verifies ? VERIFIED : 0;
    return Buffer.concat([sha256(rpId), Buffer.from([flags | PRESENT | verified]), counter]);
  }

  #clientData(type: string, challenge: string): Buffer {
    const { origin } = this.#options;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}

const toText = (bytes: Buffer): string => bytes.toString("base64url");
const sha256 = (bytes: Buffer | string): Buffer => createHash("sha256").update(bytes).digest();

/** ES256 as COSE writes it (RFC 9053). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return cborMap([
    [cborInt(1), cborInt(2)],
    [cborInt(3), cborInt(-7)],
    [cborInt(-1), cborInt(1)],
    [cborInt(-2), cborBytes(Buffer.from(x, "base64url"))],
    [cborInt(-3), cborBytes(Buffer.from(y, "base64url"))],
  ]);
}

// As much of CBOR (RFC 8949) as that takes.

function cborHead(major: number, value: number): Buffer {
  const kind = major << 5;
  if (value < 24) return Buffer.from([kind | value]);
  if (value < 256) return Buffer.from([kind | 24, value]);
  return Buffer.from([kind | 25, value >> 8, value & 0xff]);
}

const cborInt = (value: number): Buffer =>
  value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string): Buffer =>
  Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
