import type { IncomingMessage } from "node:http";
import { parseAccountId } from "../domain/ids.ts";
import { errors, GatewayError } from "../errors.ts";
import type { Caller } from "../trading/people/caller.ts";
import { isPerson } from "../trading/people/people.ts";
import { AdmitFirstError } from "../trading/orders/submit-intent.ts";
import { requireNewProof } from "../trading/people/require-new-proof.ts";
import { type Answer, type RequestState, send } from "./answer.ts";
import { answerFailures, carryOut, failureOf } from "./answer-failures.ts";
import { EVENT_STREAM_HEADERS, EventStream } from "./stream/event-stream.ts";
import { admitCaller, admitSender, comesBySession } from "./middleware/admit.ts";
import {
  forgetSender,
  type RememberedSender,
  rememberSender,
} from "./middleware/remember-sender.ts";
import { readBody, readJsonBody } from "./middleware/read-body.ts";
import type { AnyRoute, ApiRoute, HookRoute, OpenRoute, StreamRoute } from "./route.ts";
import { NO_QUERY } from "./schemas/parts.ts";
import {
  type Routed,
  type Serve,
  type ServeDeps,
  servePerson,
  servePublicForm,
} from "./serve-person.ts";
import type { Validators } from "./requests/validate.ts";

/**
 * Everything between a route's match and its answer, in the order of precedence: credentials,
 * rate limit, scope, then parameters and body.
 */
export function serveRoute(route: AnyRoute, deps: ServeDeps): Serve {
  switch (route.kind) {
    case "api":
      return serveApi(route, deps);
    case "hook":
      return serveHook(route, deps);
    case "person":
      return servePerson(route, deps);
    case "publicForm":
      return servePublicForm(route, deps);
    case "open":
      return serveOpen(route);
    case "stream":
      return serveStream(route, deps);
  }
}

function serveApi(route: ApiRoute, deps: ServeDeps): Serve {
  const { validators } = deps;
  const admit = { ...deps, scope: route.scope };
  const readQuery = validators.queryReader(route.query ?? NO_QUERY);
  const parseBody = bodyReaderOf(route, validators);
  const readsBody =
    parseBody !== undefined || route.takesText === true || route.refusesBody === true;
  const ofAccount = route.path.startsWith("/v1/accounts/{id}");
  const { reserve } = route;

  /** A body that cannot be read is no exit, so the rate limit applies to it. */
  function isExitBody({ text, problem }: EarlyBody): boolean {
    if (problem !== undefined || parseBody === undefined || typeof reserve !== "function") {
      return false;
    }
    return isSo(() => reserve(parseBody(text)));
  }

  return async function serve(ctx) {
    const { state, req, params } = ctx;
    state.route = route.path;
    // A session may end while the body is still arriving: it is checked once the body is complete.
    let early =
      readsBody && comesBySession(req.headers) ? await tryBody(req, route.bodyLimit) : undefined;
    const caller = await admitCaller(ctx, admit, async () => {
      if (typeof reserve !== "function") return reserve === "exits";
      early ??= await tryBody(req, route.bodyLimit);
      return isExitBody(early);
    });
    if (route.asksProof === true && isPerson(caller)) requireNewProof(caller);
    if (ofAccount) {
      const account = parseAccountId(params["id"] ?? "");
      if (account !== undefined) state.accountId = account;
    }
    state.trace?.admitted(caller.receivedAt);
    const answer = async () => {
      const query = readQuery(ctx.querystring);
      let body: unknown;
      const read = async () =>
        early === undefined ? await readBody(req, route.bodyLimit) : textOf(early);
      if (route.refusesBody === true) refuseBody(await read());
      if (route.takesText === true) body = await read();
      if (parseBody !== undefined) {
        body = await readJsonBody(req.headers["content-type"], read, parseBody);
      }
      const input = { caller: traced(caller, state), params, query, body, headers: req.headers };
      return await carryOut(route, input, { ...deps, caller });
    };
    send(ctx, await reportingRefusal(route, caller, answer));
  };
}

/** A refusal is the answer, whether or not it could be reported. */
async function reportingRefusal(
  { onRefused }: ApiRoute,
  caller: Caller,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof GatewayError && error.spec.status < 500) {
      await onRefused?.(caller, error).catch(() => undefined);
    }
    throw error;
  }
}

/** Who asks takes the trace of the request along. */
function traced(caller: Caller, { trace: stages }: RequestState): Caller {
  return stages === undefined ? caller : { ...caller, stages };
}

function bodyReaderOf({ body, takesText, bodyMayBeAbsent }: ApiRoute, validators: Validators) {
  if (body === undefined || takesText === true) return undefined;
  return validators.bodyReader(body, bodyMayBeAbsent);
}

function serveHook(route: HookRoute, deps: ServeDeps): Serve {
  return async function serve(ctx) {
    const { state } = ctx;
    state.route = route.path;
    state.surface = "hook";
    const token = ctx.params["token"] ?? "";
    let early: EarlyBody | undefined;
    const remembered = rememberSender(ctx, token, deps);
    if (remembered !== undefined) {
      state.trace?.admitted(remembered.receivedAt);
      early = await tryBody(ctx.req);
      const { text, problem } = early;
      const answer =
        problem === undefined && (await handleRemembered(route, remembered, state, text));
      if (answer) return send(ctx, answer);
      forgetSender(ctx);
    }
    const admitted = await admitSender(ctx, token, deps, async (webhook) => {
      const { text, problem } = (early ??= await tryBody(ctx.req));
      return problem === undefined && isSo(() => route.reserve(webhook, text));
    });
    state.trace?.admitted(admitted.receivedAt);
    const { text, problem } = early ?? (await tryBody(ctx.req));
    // Every alert of a valid token gets its line in the alert log, whatever it is refused with.
    const refusal = admitted.refusal ?? problem;
    const received = {
      ...admitted,
      requestId: state.requestId,
      stages: state.trace,
      text,
      ...(refusal !== undefined && { refusal }),
    };
    send(ctx, await answerFailures(route.effect, () => route.handle(received)));
  };
}

/** Undefined where the sender must be admitted first: then nothing was done. */
async function handleRemembered(
  route: HookRoute,
  known: RememberedSender,
  { requestId, trace: stages }: RequestState,
  text: string,
): Promise<Answer | undefined> {
  try {
    return await route.handle({ requestId, stages, text, ...known });
  } catch (error) {
    if (error instanceof AdmitFirstError) return undefined;
    throw failureOf(route.effect, error);
  }
}

/** The result of reading a body before the caller is admitted. */
interface EarlyBody {
  readonly text: string;
  readonly problem?: GatewayError;
}

function textOf({ text, problem }: EarlyBody): string {
  if (problem !== undefined) throw problem;
  return text;
}

/** False where reading the body throws a refusal. */
function isSo(ask: () => boolean): boolean {
  try {
    return ask();
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

async function tryBody(request: IncomingMessage, limit?: number): Promise<EarlyBody> {
  try {
    return { text: await readBody(request, limit) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { text: "", problem: error };
  }
}

function serveOpen(route: OpenRoute): Serve {
  return async function serve(ctx) {
    ctx.state.route = route.path;
    send(ctx, await answerFailures(route.effect, () => route.handle(ctx.req.headers)));
  };
}

function serveStream(route: StreamRoute, deps: ServeDeps): Serve {
  const admit = { ...deps, scope: route.scope };
  const readQuery = deps.validators.queryReader(NO_QUERY);

  return async function serve(ctx) {
    ctx.state.route = route.path;
    const caller = await admitCaller(ctx, admit);
    readQuery(ctx.querystring);
    refuseOtherAnswers(ctx);
    const isHead = ctx.method === "HEAD";
    const begin = isHead ? undefined : await answerFailures(route.effect, () => route.open(caller));
    ctx.status = 200;
    for (const [name, value] of Object.entries(EVENT_STREAM_HEADERS)) {
      ctx.res.setHeader(name, value);
    }
    if (begin === undefined) return;
    ctx.respond = false;
    // After the outer layers, which may still add headers.
    setImmediate(() => begin(new EventStream(ctx.res)));
  };
}

function refuseOtherAnswers(ctx: Routed): void {
  if (ctx.accepts("text/event-stream") !== false) return;
  throw new GatewayError("NOT_ACCEPTABLE", "The Accept header must allow text/event-stream");
}

/** Other routes ignore an unexpected body; here the caller may have meant it to narrow the request. */
function refuseBody(text: string): void {
  if (/^\s*(?:\{\s*\}\s*)?$/.test(text)) return;
  const message = "must be empty: this request is told by its path and query only";
  throw errors.validationFailed([{ path: "body", message }]);
}
