import type { ConnectionId } from "./ids.ts";

/** A process that owns connections. */
export interface Member {
  readonly name: string;
  /** How many it takes at most; as many as there are where that is not said. */
  readonly most?: number;
  /** Those that it could not take over lately: it comes last for them. */
  readonly failed?: readonly ConnectionId[];
  /** Whether it owns as many as it takes. The spread is the same: what is full now may be handed over. */
  readonly isFull?: boolean;
}

/** A part of all, and a quarter more: with no room above the part a single new one moves many. */
const SLACK = 1.25;

interface Bid {
  readonly connection: ConnectionId;
  readonly number: number;
  /** Of the connection at the member: higher comes first. */
  readonly score: number;
  /** How many members could not take it over: the more, the fewer are left for it. */
  readonly failures: number;
}

interface Seat {
  readonly name: string;
  readonly most: number;
  readonly number: number;
  /** Two ranks that are the same differ by less than one. */
  readonly above: number;
  readonly failed: ReadonlySet<ConnectionId>;
  readonly held: Bid[];
}

/**
 * Which member is to own which connection: the same on every process that knows the same of both. Each
 * connection has its own order of the members (rendezvous hashing), and goes to the first of them that
 * has room for it; where there is too little, those that failed elsewhere go first, then those that rank
 * higher there. So a member that comes or goes moves little more than its own, and nobody has more than
 * a quarter above its part.
 *
 * A connection that is not in the answer has no member: the limits of all of them leave no room for it.
 *
 * Versions that run side by side must agree: a change of the order moves connections to and fro.
 */
export function spread(
  connections: readonly ConnectionId[],
  members: readonly Member[],
): ReadonlyMap<ConnectionId, Member["name"]> {
  const ordered = members.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const rooms = roomsOf(connections.length, ordered);
  const seats = ordered.map(({ name, most = Infinity, failed = [] }, index): Seat => {
    const above = index / ordered.length;
    return { name, most, number: hashOf(name), above, failed: new Set(failed), held: [] };
  });

  const failures = countFailures(members);
  let seeking: readonly Bid[] = connections.map((connection) => ({
    connection,
    number: hashOf(connection),
    score: Infinity,
    failures: failures.get(connection) ?? 0,
  }));
  while (seeking.length > 0) {
    for (const bid of seeking) {
      let score = -Infinity;
      let next = -1;
      for (let at = 0; at < seats.length; at += 1) {
        const found = scoreAt(seats[at] as Seat, bid);
        if (found < bid.score && found > score) [score, next] = [found, at];
      }
      seats[next]?.held.push({ ...bid, score });
    }
    seeking = seats.flatMap(({ held }, index) => {
      const room = rooms[index] ?? 0;
      if (held.length <= room) return [];
      return held.sort(byScore).splice(room);
    });
  }
  // Better more than its part than one that cannot take it over.
  for (const seat of seats) {
    for (const bid of seat.held.filter(({ score }) => score < 0).toSorted(byScore)) {
      const able = seats.filter(
        ({ most, failed, held }) => held.length < most && !failed.has(bid.connection),
      );
      const [fewest] = able.toSorted((a, b) => a.held.length - b.held.length);
      if (fewest === undefined) continue;
      seat.held.splice(seat.held.indexOf(bid), 1);
      fewest.held.push(bid);
    }
  }
  return new Map(
    seats.flatMap(({ name, held }) => held.map(({ connection }) => [connection, name] as const)),
  );
}

/** Among all members; 0 and more, unless the member could not take it over. */
function scoreAt({ number, above, failed }: Seat, { connection, number: own }: Bid): number {
  const rank = mix(own, number) + above;
  return failed.size > 0 && failed.has(connection) ? rank - BELOW_ALL : rank;
}

function countFailures(members: readonly Member[]): ReadonlyMap<ConnectionId, number> {
  const failures = new Map<ConnectionId, number>();
  for (const connection of members.flatMap(({ failed = [] }) => [...new Set(failed)])) {
    failures.set(connection, (failures.get(connection) ?? 0) + 1);
  }
  return failures;
}

/** At one member: what could not be taken over elsewhere comes first, and what could not be here last. */
const byScore = (a: Bid, b: Bid): number =>
  needOf(b) - needOf(a) || b.score - a.score || (a.connection < b.connection ? -1 : 1);

const needOf = ({ score, failures }: Bid): number => (score < 0 ? -1 : failures);

/** How many each member takes: an even part with some room above it, and no more than its limit. */
function roomsOf(count: number, members: readonly Member[]): readonly number[] {
  const limits = members.map(({ most = Infinity }) => most);
  let left = count;
  let others = members.length;
  // What a small one cannot take falls to the others.
  for (const most of limits.toSorted((a, b) => a - b)) {
    if (most * others >= left) break;
    left -= most;
    others -= 1;
  }
  const part = others === 0 ? 0 : left / others;
  const room = Math.max(Math.ceil(part), Math.floor(SLACK * part));
  return limits.map((most) => Math.min(most, others === 0 ? most : room));
}

const BELOW_ALL = 2 ** 32;

/** FNV-1a, of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Scatters a pair over 32 bits (the finalizer of MurmurHash3). */
function mix(one: number, other: number): number {
  let hash = Math.imul(one ^ other, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae3d);
  return (hash ^ (hash >>> 16)) >>> 0;
}
