import { whyUnreachable } from "../domain/reachable.ts";
import { ALERT_TEMPLATES } from "../http/alerts/alert-templates.ts";
import type { FirstCredentials } from "../trading/people/first-start.ts";

/** What is printed of a start. */
export interface Greeting {
  /** What printed URLs start with. */
  readonly url: string;
  /** Present on the very first start only. */
  readonly first: FirstCredentials | undefined;
  /** Present as long as nobody can sign in. */
  readonly setUpLink: string | undefined;
}

/** What the first start prints: enough to sign in, send an order and see it, by copying lines. */
export function welcome({ url, first, setUpLink: link }: Greeting): string {
  const signIn =
    link === undefined
      ? `Console: ${url}/console/\n`
      : `Console, to choose your password (once, within 24 hours):\n  ${link}\n`;
  const listens = `The gateway listens on ${url}\n${signIn}`;
  if (first === undefined) return `${listens}API document: ${url}/api-docs\n`;

  const { accountId, webhookSecret, keySecret } = first;
  const hook = `${url}/hooks/${webhookSecret}`;
  const warning = whyUnreachable(url);
  return `${listens}
Webhook URL of account ${accountId} (shown this once; paste it into an alert):
  ${hook}
${warning === undefined ? "" : `  ${warning}.\n`}Message for an alert on a TradingView strategy:
  ${ALERT_TEMPLATES.native}
API key (shown this once; keep it):
  ${keySecret}

Send an alert, and see it filled:
  curl -s -X POST '${hook}' -d '{"action":"buy","symbol":"MNQ1!","qty":1}'
See the position that it left:
  curl -s -H 'X-API-Key: ${keySecret}' '${url}/v1/accounts/${accountId}/positions'

API document: ${url}/api-docs
`;
}
