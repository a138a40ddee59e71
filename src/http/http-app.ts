import { randomUUID } from "node:crypto";
import Router, { type RouterMiddleware } from "@koa/router";
import Koa from "koa";
import type { Product } from "../domain/contracts/product.ts";
import type { GuardPreset } from "../domain/guards/preset.ts";
import type { PublishChange } from "../trading/changes.ts";
import type { Gateway } from "../trading/gateway.ts";
import type { Admissions } from "../trading/people/admissions.ts";
import type { Networks } from "../trading/people/networks.ts";
import type { People } from "../trading/people/people.ts";
import { errors, GatewayError } from "../errors.ts";
import { type Exchange, type RequestState, send } from "./answer.ts";
import { answerAdmissionFailures } from "./answer-failures.ts";
import { createAnswerErrors } from "./middleware/answer-errors.ts";
import { createServeConsole } from "./middleware/serve-console.ts";
import { createServeRunbook } from "./middleware/serve-runbook.ts";
import { HealthHub, type StreamObserver, type StreamSettings } from "./stream/health-hub.ts";
import type { HttpObserver } from "./observer.ts";
import { toOpenApi } from "./openapi/openapi.ts";
import type { AnyRoute } from "./route.ts";
import { alertRoutes } from "./routes/alerts.ts";
import { apiDocsRoutes, createApiDocsPage } from "./routes/api-docs.ts";
import { accountRoutes } from "./routes/accounts.ts";
import { destinationRoutes } from "./routes/destinations.ts";
import { copyRoutes } from "./routes/copies.ts";
import { contractRoutes } from "./routes/contracts.ts";
import { accountGroupRoutes } from "./routes/account-groups.ts";
import { groupOrderRoutes } from "./routes/group-orders.ts";
import { copyGroupRoutes } from "./routes/copy-groups.ts";
import { evaluationRoutes } from "./routes/evaluations.ts";
import { followerRoutes } from "./routes/followers.ts";
import { calendarRoutes } from "./routes/calendars.ts";
import { exitPlanRoutes } from "./routes/exit-plans.ts";
import { strategyRoutes } from "./routes/strategies.ts";
import { guardPresetRoutes } from "./routes/guard-presets.ts";
import { guardRoutes, unlockRoutes } from "./routes/guards.ts";
import { healthStreamRoutes } from "./routes/health-stream.ts";
import { brokerRoutes } from "./routes/brokers.ts";
import { connectionRoutes } from "./routes/connections.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { intentRoutes } from "./routes/intents.ts";
import { keyRoutes } from "./routes/keys.ts";
import { operationRoutes, type Readiness } from "./routes/operations.ts";
import { orderRoutes } from "./routes/orders.ts";
import { overviewRoutes } from "./routes/overview.ts";
import { passkeyRoutes } from "./routes/passkeys.ts";
import { balanceRoutes } from "./routes/balances.ts";
import { forgetRoutes, positionRoutes } from "./routes/positions.ts";
import { sessionRoutes } from "./routes/session.ts";
import { setUpRoutes } from "./routes/set-up.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { serveRoute } from "./serve-route.ts";
import type { Routed } from "./serve-person.ts";
import type { Patience } from "./server/node-server.ts";
import { HttpServer } from "./server/server.ts";
import type { StaticFiles } from "./server/static-files.ts";
import { validators } from "./requests/validate.ts";
import type { DescribeContract } from "../trading/orders/describe-contract.ts";

export interface HttpAppDeps extends OperationsAppDeps {
  readonly observer: HttpObserver & StreamObserver;
  readonly gateway: Gateway;
  readonly people: People;
  readonly admissions: Admissions;
  readonly describeContract: DescribeContract;
  /** Whether it is a root of the contract table. */
  readonly isRoot: (text: string) => boolean;
  /** The contract table. */
  readonly products: readonly Product[];
  readonly guardPresets: readonly GuardPreset[];
  /** Told after each request that may have changed something. */
  readonly publishChange: PublishChange;
  /** What the URLs we hand out start with, for example `https://alerts.example.com`. */
  readonly publicUrl: () => string;
  /** The page that shows the API document; without it, browsers get the document too. */
  readonly apiDocs?: StaticFiles;
  /** The console as it was built; without it, there is none. */
  readonly console?: StaticFiles;
  /** Of the connection-health stream, where they differ from the product's. */
  readonly streams?: Partial<StreamSettings>;
}

export interface OperationsAppDeps {
  readonly observer: HttpObserver;
  /** Whether this process can take orders: asked by `GET /readyz`. */
  readonly readiness: () => Promise<Readiness>;
  /** In Prometheus' text format, or in OpenMetrics. */
  readonly metrics: (format?: "openMetrics") => Promise<string>;
  /** The page with what to do about each alarm; without it, there is none. */
  readonly runbook?: StaticFiles;
  /** Of this software, for the API document. */
  readonly version: string;
  readonly newRequestId?: () => string;
  /** Whose X-Forwarded-For is believed; by default nobody's. */
  readonly trustedProxies?: Networks;
  /** With clients that send slowly; by default 5 s for headers and 10 s for a whole request. */
  readonly patience?: Patience;
}

type ServerDeps = OperationsAppDeps &
  Pick<HttpAppDeps, "admissions" | "apiDocs" | "console" | "publicUrl" | "publishChange">;

/** Puts the whole HTTP room together; the answer is what the app starts and stops. */
export function createHttpApp(deps: HttpAppDeps): HttpServer {
  const hub = new HealthHub(deps);
  return createServer(createRoutes(deps, hub), deps, () => hub.close());
}

/** What a process without callers answers: health and metrics, and nothing of the API. */
export function createOperationsApp(deps: OperationsAppDeps): HttpServer {
  return createServer(operationRoutes(deps), { ...deps, ...NOBODY });
}

const NOBODY: Pick<ServerDeps, "admissions" | "publicUrl" | "publishChange"> = {
  admissions: {
    admitKey: async () => ({ kind: "unknown" }),
    admitWebhook: async () => ({ kind: "unknown" }),
    admitSession: async () => ({ kind: "unknown" }),
  },
  publicUrl: () => "http://localhost",
  publishChange: () => undefined,
};

function createServer(
  routes: readonly AnyRoute[],
  deps: ServerDeps,
  onStop: () => void = () => undefined,
): HttpServer {
  const { observer, newRequestId = randomUUID } = deps;
  const app = new Koa<RequestState>();
  const server: HttpServer = new HttpServer({
    handler: (request, response) => void handle(request, response),
    observer,
    newRequestId,
    patience: deps.patience,
    onStop,
  });

  app.use(createAnswerErrors({ observer, newRequestId, isStopping: () => server.isStopping }));
  if (deps.apiDocs !== undefined) app.use(createApiDocsPage(deps.apiDocs));
  app.use(createRouter(routes, deps));
  if (deps.runbook !== undefined) app.use(createServeRunbook(deps.runbook));
  if (deps.console !== undefined) app.use(createServeConsole(deps.console));
  app.use(refuseUnmatched);
  // What fails beyond our own last layer is a connection that went away under the answer.
  app.on("error", (error: unknown, ctx?: Koa.Context) => {
    // The client of a stream that goes away, however abruptly, ends it as it may.
    if (ctx?.respond === false) return;
    observer.requestFailed(error, { requestId: "", route: "unmatched" });
  });
  const handle = app.callback();
  return server;
}

/** The route tables, one after another; those on the hot path first. */
export function createRoutes(
  deps: HttpAppDeps,
  hub: HealthHub = new HealthHub(deps),
): readonly AnyRoute[] {
  // Written at the first request: by then it is known where the server listens.
  let text: string | undefined;
  const openApiText = (): string =>
    (text ??= JSON.stringify(toOpenApi(routes, { ...deps, publicUrl: deps.publicUrl() })));
  const routes: AnyRoute[] = [
    ...hookRoutes(deps),
    ...orderRoutes(deps),
    ...positionRoutes(deps),
    ...balanceRoutes(deps),
    ...accountRoutes(deps),
    ...guardRoutes(deps),
    ...unlockRoutes(deps),
    ...forgetRoutes(deps),
    ...guardPresetRoutes(deps),
    ...contractRoutes(deps),
    ...intentRoutes(deps),
    ...alertRoutes(deps),
    ...webhookRoutes(deps),
    ...accountGroupRoutes(deps),
    ...groupOrderRoutes(deps),
    ...copyGroupRoutes(deps),
    ...followerRoutes(deps),
    ...copyRoutes(deps),
    ...calendarRoutes(deps),
    ...exitPlanRoutes(deps),
    ...strategyRoutes(deps),
    ...evaluationRoutes(deps),
    ...destinationRoutes(deps),
    ...connectionRoutes(deps),
    ...brokerRoutes(deps),
    ...overviewRoutes(deps),
    ...healthStreamRoutes(hub),
    ...sessionRoutes(deps),
    ...setUpRoutes(deps),
    ...passkeyRoutes(deps),
    ...keyRoutes(deps),
    ...operationRoutes(deps),
    ...apiDocsRoutes(openApiText),
  ];
  return routes;
}

/**
 * A router tests the pattern of each of its routes for each request. What a path begins with is never
 * a parameter, so that each beginning has a router of its own.
 */
function createRouter(
  routes: readonly AnyRoute[],
  deps: ServerDeps,
): RouterMiddleware<RequestState> {
  const { trustedProxies = NO_PROXIES } = deps;
  const admissions = answerAdmissionFailures(deps.admissions);
  const routers = new Map<string, Router<RequestState>>();
  for (const route of routes) {
    const serve = serveRoute(route, { ...deps, admissions, validators, trustedProxies });
    const beginning = beginningOf(route.path);
    const router = routers.get(beginning) ?? new Router<RequestState>({ sensitive: true });
    routers.set(beginning, router);
    router.register(routerPath(route.path), [route.method], async (ctx) => {
      try {
        await serve(ctx as Routed);
      } catch (error) {
        // Of what failed otherwise than by a refusal it is not known whether it was carried out.
        const isRefused = error instanceof GatewayError && error.spec.status < 500;
        if (!isRefused) publishChange(route, ctx.state, deps.publishChange);
        throw error;
      }
      publishChange(route, ctx.state, deps.publishChange);
    });
  }
  const served = new Map([...routers].map(([beginning, router]) => [beginning, router.routes()]));
  return (ctx, next) => {
    const serve = served.get(beginningOf(ctx.path));
    return serve === undefined ? next() : serve(ctx, next);
  };
}

function publishChange(route: AnyRoute, state: RequestState, publish: PublishChange): void {
  const { accountId, userId } = state;
  if (route.effect === "read" || userId === undefined) return;
  const what = route.kind === "hook" ? (["alerts", "overview"] as const) : (["overview"] as const);
  publish(accountId === undefined ? { userId } : { accountId }, ...what);
}

const NO_PROXIES: Networks = () => false;

/** `/v1/accounts/{id}` in the router's words; `/v1` is answered under `/api/v1` too. */
function routerPath(path: string): string {
  const template = path.replaceAll(/\{(\w+)\}/g, ":$1");
  return template.startsWith("/v1/") ? `{/api}${template}` : template;
}

/** The first part of a path; of `/api/v1` it is the second one, as it is of `/v1`. */
function beginningOf(path: string): string {
  const from = path.startsWith("/api/") ? 5 : 1;
  const end = path.indexOf("/", from);
  return end === -1 ? path.slice(from) : path.slice(from, end);
}

/** What the router leaves behind when a path matched. */
interface Matched {
  readonly matched?: readonly { readonly methods: readonly string[] }[];
}

/** The end of the line: no route took the request. */
export async function refuseUnmatched(ctx: Exchange & Matched): Promise<void> {
  const methods = new Set(ctx.matched?.flatMap((layer) => layer.methods));
  if (methods.size === 0) throw errors.notFound("path");

  const allowed = [...methods, "OPTIONS"].join(", ");
  ctx.res.setHeader("Allow", allowed);
  if (ctx.method === "OPTIONS") return send(ctx, { status: 204 });
  throw errors.methodNotAllowed(allowed);
}
