import { randomUUID } from "node:crypto";
import { Cluster } from "ioredis";
import type { ConnectionId } from "../src/domain/ids.ts";
import {
  type BrokerQuestion,
  BrokerReadError,
  type OwnerDesk,
  type WaitFor,
} from "../src/trading/ports.ts";
import type { Channels } from "./channels.ts";
import type { RedisClient } from "./redis-client.ts";

interface OwnerDeskDeps {
  /** Publishes questions and answers. */
  readonly redis: RedisClient;
  readonly channels: Channels;
  readonly processId: string;
  readonly questionsOf: (connection: ConnectionId) => string;
  readonly answersOf: (processId: string) => string;
  readonly waitFor: WaitFor;
  /** Whether somebody owns the connection, for a store that counts not all who hear a question. */
  readonly isOwned: (connection: ConnectionId) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

interface Asked {
  readonly id: string;
  readonly replyTo: string;
  readonly question: BrokerQuestion;
}

type Answered =
  | { readonly id: string; readonly value: unknown }
  | { readonly id: string; readonly refused: string };

/** A broker that is slower than this counts as unavailable: the caller gets a 503. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Asks a connection's owner in another process, outside the lanes. It is known at once when nobody
 * listens, because Redis counts the subscribers that got the question; a Cluster counts those of one
 * node only, and there the lease says it.
 */
export async function openOwnerDesk(deps: OwnerDeskDeps): Promise<OwnerDesk> {
  const { redis, channels, processId, questionsOf, answersOf, waitFor, isOwned, onError } = deps;
  const waiting = new Map<string, (answer: Answered) => void>();
  await channels.listen(answersOf(processId), (message) => {
    const answer = JSON.parse(message) as Answered;
    waiting.get(answer.id)?.(answer);
  });

  async function answerFor({ id, replyTo, question }: Asked, serve: Serve): Promise<void> {
    let answer: Answered;
    try {
      answer = { id, value: await serve(question) };
    } catch (error) {
      if (!(error instanceof BrokerReadError)) onError(error);
      answer = { id, refused: "The owner of the connection could not read the broker" };
    }
    await redis.publish(answersOf(replyTo), JSON.stringify(answer));
  }

  return {
    ask: async (connection, question) => {
      const asked: Asked = { id: randomUUID(), replyTo: processId, question };
      const reply: { answer?: Answered; wake?: () => void } = {};
      waiting.set(asked.id, (answer) => {
        reply.answer = answer;
        reply.wake?.();
      });
      try {
        const heard = await redis.publish(questionsOf(connection), JSON.stringify(asked));
        if (heard === 0 && !(redis instanceof Cluster && (await isOwned(connection)))) {
          throw new BrokerReadError(`Nobody owns connection ${connection} now`);
        }
        if (reply.answer === undefined) {
          await waitFor(ANSWER_WITHIN_MS, (wake) => (reply.wake = wake));
        }
        return read(reply.answer, connection);
      } finally {
        waiting.delete(asked.id);
      }
    },

    attend: async (connection, serve) => {
      return await channels.listen(questionsOf(connection), (message) => {
        answerFor(JSON.parse(message) as Asked, serve).catch(onError);
      });
    },
  };
}

type Serve = (question: BrokerQuestion) => Promise<unknown>;

function read(answer: Answered | undefined, connection: ConnectionId): unknown {
  if (answer === undefined) {
    throw new BrokerReadError(`The owner of connection ${connection} did not answer in time`);
  }
  if ("refused" in answer) throw new BrokerReadError(answer.refused);
  return answer.value;
}
