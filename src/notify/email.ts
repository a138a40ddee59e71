import { callbackify } from "node:util";
import { createTransport } from "nodemailer";
import type { ChannelSettings } from "../domain/notify/destination.ts";
import type { Delivery, Notice } from "../trading/notify/ports.ts";
import { createChannel } from "./channel.ts";
import type { GuardedConnection } from "./guarded-connection.ts";
import { reasonOf } from "./guarded-request.ts";
import { cut, readableText } from "./readable-text.ts";

/** The library's own are minutes. */
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 5_000,
  socketTimeout: 20_000,
  socketCloseTimeout: 1_000,
} as const;

/** Where TLS begins with the connection; elsewhere the server has to offer it. */
const TLS_PORT = 465;
const LONGEST_SUBJECT = 200;

export interface EmailDeps {
  readonly connect: GuardedConnection;
  /** Certificates that are trusted instead of Node's own, for tests. */
  readonly trusted?: string | undefined;
}

type Settings = ChannelSettings["email"];

/** A plain mail over the user's own server, one connection each. */
export function createEmail({ connect, trusted }: EmailDeps, limitMs?: number) {
  return createChannel(
    {
      kind: "email",
      gapMs: 1_000,
      deliver: async (notice, { settings }, signal) => {
        if (!isAddress(settings.from) || !isAddress(settings.to)) {
          return { kind: "unacceptable", reason: "The sender or the recipient is not an address" };
        }
        const transport = createTransport({
          ...transportOptions(settings),
          ...(trusted !== undefined && { tls: { ca: trusted } }),
          getSocket: callbackify(async ({ host = "" }: { readonly host?: string | undefined }) => ({
            connection: await connect({ host, port: settings.port }, signal),
          })),
        });
        try {
          const { response } = await transport.sendMail({ ...mailFor(notice, settings), signal });
          const status = Number.parseInt(String(response), 10);
          return { kind: "delivered", ...(Number.isInteger(status) && { status }) };
        } catch (error) {
          return refusalOf(error);
        } finally {
          transport.close();
        }
      },
    },
    limitMs,
  );
}

/** How a mail server is asked, without the connection. */
export function transportOptions({ host, port, user, password = "" }: Settings) {
  const isSecure = port === TLS_PORT;
  return {
    host,
    port,
    secure: isSecure,
    requireTLS: !isSecure,
    ...TIMEOUTS,
    ...(user !== undefined && { auth: { user, pass: password } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** One address and nothing else, so that none brings further recipients or headers along. */
const isAddress = (text: string): boolean =>
  /^[^\s\p{Cc}@<>",;:()\\]{1,64}@[^\s\p{Cc}@<>",;()\\]{1,255}$/u.test(text);

function mailFor(notice: Notice, { from, to }: Settings) {
  const { title, body } = readableText(notice);
  const { id, severity, at } = notice.event;
  const isUrgent = severity === "critical" && !notice.isSilent;
  return {
    from: { name: "Alert gateway", address: from },
    to: { name: "", address: to },
    subject: cut(title, LONGEST_SUBJECT),
    text: `${body}\n\n${new Date(at).toISOString()}\n`,
    // The same in a second attempt, so that a mailbox may know it again.
    messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    headers: { "Auto-Submitted": "auto-generated" },
    ...(isUrgent && { priority: "high" as const }),
  };
}

/** The library's errors quote the server, and may quote what was sent. */
function refusalOf(error: unknown): Delivery {
  const { code, status } = detailsOf(error);
  const settled = status === undefined ? {} : { status };
  if (code === "ETLS") {
    return {
      kind: "failed",
      reason: "There is no safe connection (TLS) to the mail server",
      ...settled,
    };
  }
  const isForGood = status !== undefined && status >= 500;
  if (code === "EAUTH" && (isForGood || status === undefined)) {
    return { kind: "gone", reason: "The mail server refuses the login", ...settled };
  }
  if (code === "EENVELOPE" && isForGood) {
    return {
      kind: "gone",
      reason: `The mail server refuses the sender or the recipient (${status})`,
      ...settled,
    };
  }
  if (code === "EMESSAGE" && isForGood) {
    return {
      kind: "unacceptable",
      reason: `The mail server refused the mail (${status})`,
      ...settled,
    };
  }
  if (status !== undefined) {
    return { kind: "failed", reason: `The mail server answered ${status}`, status };
  }
  return { kind: "failed", reason: reasonOf(error) };
}

function detailsOf(error: unknown): { readonly code?: unknown; readonly status?: number } {
  if (!(error instanceof Error)) return {};
  const code = "code" in error ? error.code : undefined;
  const status = "responseCode" in error ? Number(error.responseCode) : Number.NaN;
  return { code, ...(status >= 200 && status < 600 && { status }) };
}
