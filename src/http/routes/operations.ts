import { Type } from "@sinclair/typebox";
import type { OpenRoute } from "../route.ts";
import { AliveReply, ReadyReply } from "../schemas/operations.ts";

export interface Readiness {
  readonly ready: boolean;
  /** Each part by its name. No error texts: everyone may ask. */
  readonly checks: Readonly<Record<string, boolean>>;
  /** What a person must put right, in sentences of ours. */
  readonly reasons?: readonly string[];
}

export interface OperationRouteDeps {
  readonly readiness: () => Promise<Readiness>;
  /** Every metric as Prometheus reads it: in its own text, or in OpenMetrics, which has exemplars. */
  readonly metrics: (format?: "openMetrics") => Promise<string>;
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const OPEN_METRICS = "application/openmetrics-text";
const OPEN_METRICS_TYPE = `${OPEN_METRICS}; version=1.0.0; charset=utf-8`;

/**
 * What the machine's own tools ask of every process, whatever its role: no key, no secrets in the
 * answers.
 */
export function operationRoutes(deps: OperationRouteDeps): OpenRoute[] {
  return [...health(deps), metrics(deps)];
}

function health({ readiness }: Pick<OperationRouteDeps, "readiness">): OpenRoute[] {
  const example = { ready: true, checks: { store: true, broker: true } };
  return [
    {
      kind: "open",
      effect: "read",
      method: "GET",
      path: "/healthz",
      id: "alive",
      tag: "Operations",
      summary: "Whether the process runs",
      description:
        "Asks nothing beyond this process: a broker that is away is no reason to restart.",
      replies: [
        { status: 200, description: "It runs", schema: AliveReply, example: { status: "ok" } },
      ],
      errors: [],
      handle: async () => ({ status: 200, body: { status: "ok" } }),
    },
    {
      kind: "open",
      effect: "read",
      method: "GET",
      path: "/readyz",
      id: "ready",
      tag: "Operations",
      summary: "Whether the gateway can take orders",
      replies: [
        { status: 200, description: "It can", schema: ReadyReply, example },
        {
          status: 503,
          description: "It cannot now",
          schema: ReadyReply,
          example: { ready: false, checks: { store: false, broker: true } },
        },
      ],
      errors: [],
      async handle() {
        const body = await readiness();
        return { status: body.ready ? 200 : 503, body };
      },
    },
  ];
}

function metrics({ metrics: read }: Pick<OperationRouteDeps, "metrics">): OpenRoute {
  return {
    kind: "open",
    effect: "read",
    method: "GET",
    path: "/metrics",
    id: "metrics",
    tag: "Operations",
    summary: "Metrics for Prometheus",
    description: `In OpenMetrics for an Accept header that names ${OPEN_METRICS}.`,
    replies: [
      {
        status: 200,
        description: "In Prometheus' text format",
        schema: Type.String(),
        contentType: METRICS_TYPE,
        example: "gateway_up 1\n",
      },
    ],
    errors: [],
    handle: async ({ accept = "" }) =>
      wantsOpenMetrics(accept)
        ? { status: 200, body: await read("openMetrics"), contentType: OPEN_METRICS_TYPE }
        : { status: 200, body: await read(), contentType: METRICS_TYPE },
  };
}

/** Only by its name: a wildcard is content with Prometheus' own. */
const wantsOpenMetrics = (accept: string): boolean =>
  accept.split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === OPEN_METRICS && !parameters.some((one) => /^q=0(\.0*)?$/.test(one));
  });
