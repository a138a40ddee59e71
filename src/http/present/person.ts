import type { ApiKey, User, Passkey } from "../../domain/people/credential.ts";
import { idleEndsAt, type Session } from "../../domain/people/session.ts";
import type { Site } from "../../trading/people/ports.ts";
import { hasName } from "../server/own-site.ts";
import { presentTime } from "./figures.ts";

export const presentPerson = ({ userId, name }: User) => ({ id: userId, name });

export function presentSession(user: User, session: Session, site: Site) {
  return {
    user: presentPerson(user),
    signedInAt: presentTime(session.signedInAt),
    confirmedAt: presentTime(session.confirmedAt),
    endsAt: presentTime(session.endsAt),
    idleEndsAt: presentTime(idleEndsAt(session)),
    passkeysPossible: hasName(site),
  };
}

export function presentPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  return {
    id,
    name,
    createdAt: presentTime(createdAt),
    ...(lastUsedAt !== undefined && { lastUsedAt: presentTime(lastUsedAt) }),
  };
}

export function presentKey({ id, name, scopes, createdAt, lastUsedAt, revokedAt }: ApiKey) {
  return {
    id,
    name,
    scopes,
    createdAt: presentTime(createdAt),
    ...(lastUsedAt !== undefined && { lastUsedAt: presentTime(lastUsedAt) }),
    ...(revokedAt !== undefined && { revokedAt: presentTime(revokedAt) }),
  };
}
