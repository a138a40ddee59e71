import { type Exchange, send } from "./answer.ts";
import { answerFailures, carryOut } from "./answer-failures.ts";
import { requirePerson } from "./middleware/admit.ts";
import { type AdmitPersonDeps, admitVisit, findPerson } from "./middleware/admit-session.ts";
import { readBody, readJsonBody } from "./middleware/read-body.ts";
import { requireNewProof } from "../trading/people/require-new-proof.ts";
import type { PersonRoute, PublicFormRoute } from "./route.ts";
import { NO_QUERY } from "./schemas/parts.ts";
import type { Validators } from "./requests/validate.ts";

export interface ServeDeps extends AdmitPersonDeps {
  readonly validators: Validators;
}

/** What the router adds to an exchange. */
export type Routed = Exchange & { readonly params: Readonly<Record<string, string>> };

export type Serve = (ctx: Routed) => Promise<void>;

/** What only a person may ask. */
export function servePerson(route: PersonRoute, deps: ServeDeps): Serve {
  const readInput = inputReader(route, deps.validators);

  return async function serve(ctx) {
    ctx.state.route = route.path;
    const person = await requirePerson(ctx, deps);
    if (route.asksProof === true) requireNewProof(person);
    const body = await readInput(ctx);
    const input = { person, params: ctx.params, body };
    send(ctx, await carryOut(route, input, { ...deps, caller: person }));
  };
}

/** The way in. Whoever is signed in already is known to it: one browser has one session. */
export function servePublicForm(route: PublicFormRoute, deps: ServeDeps): Serve {
  const readInput = inputReader(route, deps.validators);

  return async function serve(ctx) {
    ctx.state.route = route.path;
    const visit = admitVisit(ctx, deps);
    const body = await readInput(ctx);
    const person = await findPerson(ctx, deps, visit);
    const input = { visit, person, body };
    send(ctx, await answerFailures(route.effect, () => route.handle(input)));
  };
}

/** Refuses any query, and answers the body, of which there may be none. */
function inputReader(
  { body, bodyMayBeAbsent }: PersonRoute | PublicFormRoute,
  validators: Validators,
) {
  const readQuery = validators.queryReader(NO_QUERY);
  const parse = body && validators.bodyReader(body, bodyMayBeAbsent);
  return async ({ req, querystring }: Routed): Promise<unknown> => {
    readQuery(querystring);
    if (parse === undefined) return undefined;
    return await readJsonBody(req.headers["content-type"], async () => await readBody(req), parse);
  };
}
