/** The services that the process plays. */
export const SERVICES = [
  "webhook",
  "discord",
  "telegram",
  "slack",
  "ntfy",
  "pushover",
  "email",
  "heartbeat",
] as const;
export type Service = (typeof SERVICES)[number];

/** How a service answers instead of as its documents say. */
export type Behaviour =
  | { readonly as: "documented" }
  /** It wants fewer messages, in its own way of saying so. */
  | { readonly as: "throttling"; readonly seconds: number }
  /** It will never take anything again. */
  | { readonly as: "gone" }
  /** It does not take this message. */
  | { readonly as: "refusing" }
  /** Anything. Of mail, the answer to the recipient. */
  | {
      readonly as: "answering";
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly as: "redirecting"; readonly to: string }
  | { readonly as: "hanging" }
  | { readonly as: "breaking off" }
  /** A page of HTML where there is HTTP: a portal, a proxy, a domain that was sold. */
  | { readonly as: "somebody else" }
  /** Not the protocol at all. */
  | { readonly as: "noise" }
  /** A success that never stops. */
  | { readonly as: "endless" }
  /** Of mail: no TLS is offered. */
  | { readonly as: "without TLS" };

/** Turns a service to a behaviour, for so many requests or until it is turned again. */
export interface Knob {
  readonly service: Service;
  readonly behaviour: Behaviour;
  readonly times?: number;
}

/** What a service was asked, and what it answered. */
export interface Seen {
  readonly service: Service;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it came; of a mail, the mail. */
  readonly body: string;
  /** Absent where nothing was answered. */
  readonly status?: number;
  /** Whom it would ring: people and groups that a text names so that the service calls them. */
  readonly mentions: readonly string[];
}

const DOCUMENTED: Behaviour = { as: "documented" };

/** Which behaviour comes next. */
export class Behaviours {
  readonly #knobs = new Map<Service, { readonly behaviour: Behaviour; left: number }>();

  turn({ service, behaviour, times = Number.POSITIVE_INFINITY }: Knob): void {
    this.#knobs.set(service, { behaviour, left: times });
  }

  /** Without counting it. */
  peek(service: Service): Behaviour {
    const knob = this.#knobs.get(service);
    return knob === undefined || knob.left <= 0 ? DOCUMENTED : knob.behaviour;
  }

  next(service: Service): Behaviour {
    const behaviour = this.peek(service);
    const knob = this.#knobs.get(service);
    if (knob !== undefined) knob.left -= 1;
    return behaviour;
  }
}
