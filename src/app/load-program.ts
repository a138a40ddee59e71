/**
 * Loads what the first lines of a start do without. One part after another, because evaluating a part
 * keeps the process from everything else: between two of them whoever calls meanwhile is answered.
 */
export async function loadProgram() {
  await import("ioredis");
  await import("prom-client");
  await import("koa");
  await import("@koa/router");
  await import("@sinclair/typebox");
  await import("bullmq");
  await import("ws");
  await import("../brokers/broker-kinds.ts");
  await import("../http/http-app.ts");
  return await import("./start-process.ts");
}
