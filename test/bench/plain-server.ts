import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import Router from "@koa/router";
import { Ajv } from "ajv";
import { Queue, QueueEvents, Worker } from "bullmq";
import { Redis } from "ioredis";
import Koa from "koa";

// What the gateway is compared with: the same libraries without the gateway, as the documentation
// of each shows them. One program, run in a process of its own: `plain-server.js KIND SOCKET`.

interface Alert {
  readonly action: string;
  readonly symbol: string;
  readonly qty: number;
}

/** Answers one alert of an account; the object is what the caller is told. */
type Answer = (account: string, alert: Alert) => Promise<object>;

const QUEUE = "alerts";
const CONCURRENCY = 256;
const ANSWER_WITHIN_MS = 10_000;

const isAlert = new Ajv().compile<Alert>({
  type: "object",
  properties: {
    action: { type: "string", enum: ["buy", "sell"] },
    symbol: { type: "string", minLength: 1, maxLength: 32 },
    qty: { type: "integer", minimum: 1, maximum: 10_000 },
  },
  required: ["action", "symbol", "qty"],
});

const KINDS: Readonly<Record<string, (path: string) => Promise<Answer>>> = {
  /** No queue at all. */
  koa: async () => async (account, alert) => ({ account, ...alert, outcome: "read" }),

  /** Durable in a queue that nobody works. */
  "koa+add": async (path) => {
    const queue = openQueue(path);
    return async (account, alert) => {
      const job = await queue.add("alert", { account, alert }, jobOptions());
      return { account, jobId: job.id, outcome: "queued" };
    };
  },

  /** Worked in this process; the answer comes back by the worker's own event. */
  worker: async (path) => {
    const queue = openQueue(path);
    const waiting = new Map<string, (value: unknown) => void>();
    const worker = startWorker(path);
    worker.on("completed", (job, value: unknown) => {
      waiting.get(job.id ?? "")?.(value);
      waiting.delete(job.id ?? "");
    });
    await worker.waitUntilReady();
    return async (account, alert) => {
      const options = jobOptions();
      const result = new Promise((resolve) => waiting.set(options.jobId, resolve));
      await queue.add("alert", { account, alert }, options);
      return { account, result: await result, outcome: "done" };
    };
  },

  /** The way BullMQ documents. A result has to be kept for a while, or the wait can miss it. */
  "worker-wait-until-finished": async (path) => {
    const queue = openQueue(path);
    const events = new QueueEvents(QUEUE, { connection: blockingConnection(path) });
    const worker = startWorker(path);
    await Promise.all([events.waitUntilReady(), worker.waitUntilReady()]);
    return async (account, alert) => {
      const options = { ...jobOptions(), removeOnComplete: { count: 5_000 } };
      const job = await queue.add("alert", { account, alert }, options);
      const result: unknown = await job.waitUntilFinished(events, ANSWER_WITHIN_MS);
      return { account, result, outcome: "done" };
    };
  },
};

function openQueue(path: string): Queue {
  return new Queue(QUEUE, { connection: new Redis({ path }) });
}

function startWorker(path: string): Worker {
  return new Worker(QUEUE, async (job) => job.data as object, {
    connection: blockingConnection(path),
    concurrency: CONCURRENCY,
  });
}

/** As BullMQ demands of a connection that waits inside Redis. */
function blockingConnection(path: string): Redis {
  return new Redis({ path, maxRetriesPerRequest: null });
}

const jobOptions = () => ({ jobId: `job-${randomUUID()}`, attempts: 1, removeOnComplete: true });

async function readText(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  return await new Promise((resolve, reject) => {
    let text = "";
    request.on("data", (part: string) => (text += part));
    request.on("end", () => resolve(text));
    request.on("error", reject);
  });
}

function createApp(answer: Answer): Koa {
  const router = new Router();
  router.post("/hooks/:account", async (context) => {
    const alert: unknown = JSON.parse(await readText(context.req));
    if (!isAlert(alert)) {
      context.status = 400;
      context.body = { error: isAlert.errors };
      return;
    }
    context.body = await answer(context.params["account"] ?? "", alert);
  });
  const app = new Koa();
  app.use(router.routes());
  return app;
}

async function main([kind = "", path = ""]: readonly string[]): Promise<void> {
  const open = KINDS[kind];
  if (open === undefined) throw new Error(`There is no plain server ${kind}`);
  const app = createApp(await open(path));
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  process.on("SIGTERM", () => process.exit(0));
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`listens on http://127.0.0.1:${port}\n`);
  });
}

await main(process.argv.slice(2));
