import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import type { Behaviour, Behaviours, Seen } from "./behaviour.ts";

export const MAIL_LOGIN = { user: "trader", password: "a-secret-of-the-mailbox" };

export interface MailDeps {
  readonly behaviours: Behaviours;
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly onSeen: (seen: Seen) => void;
}

/** A mail server that takes mail after a login, with STARTTLS. Answers its port. */
export async function startMailServer(deps: MailDeps): Promise<number> {
  const servers = { safe: smtpServer(deps, false), open: smtpServer(deps, true) };
  const front = createServer((socket) => {
    socket.on("error", () => {});
    const { as } = deps.behaviours.peek("email");
    if (as === "hanging") return;
    if (as === "noise") socket.write("\u0000\u0001 nothing that a mail server says\r\n".repeat(50));
    else if (as === "endless") socket.write("220-and so on\r\n".repeat(100_000));
    else (as === "without TLS" ? servers.open : servers.safe).server.emit("connection", socket);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  return (front.address() as AddressInfo).port;
}

function smtpServer({ behaviours, certificate, onSeen }: MailDeps, hideSTARTTLS: boolean) {
  const server = new SMTPServer({
    ...certificate,
    hideSTARTTLS,
    authOptional: true,
    logger: false,
    onAuth: ({ username, password }, _, done) => {
      const isKnown = username === MAIL_LOGIN.user && password === MAIL_LOGIN.password;
      if (isKnown) done(null, { user: username });
      else done(refusal(535, "5.7.8 Authentication credentials invalid"));
    },
    onRcptTo: ({ address }, _, done) => {
      const answer = answerToRecipient(behaviours.peek("email"), address);
      if (answer !== undefined) behaviours.next("email");
      done(answer);
    },
    onData: (stream, { envelope, id }, done) => {
      void (async () => {
        const body = await text(stream);
        const behaviour = behaviours.next("email");
        const recipients = envelope.rcptTo.map(({ address }) => address);
        const seen = { service: "email", method: "DATA", path: recipients.join(","), headers: {} };
        const { as } = behaviour;
        const status = as === "refusing" ? 554 : as === "breaking off" ? undefined : 250;
        onSeen({ ...seen, service: "email", body, mentions: [], ...(status && { status }) });
        if (as === "refusing") done(refusal(554, "5.6.0 Message refused"));
        else if (as === "breaking off") cut(server, id);
        else done();
      })();
    },
  });
  server.on("error", () => {});
  return server;
}

function answerToRecipient(behaviour: Behaviour, address: string): Error | undefined {
  if (behaviour.as === "throttling") return refusal(451, "4.7.1 Try again later");
  if (behaviour.as === "gone") return refusal(550, `5.1.1 <${address}> User unknown`);
  if (behaviour.as === "answering") return refusal(behaviour.status, behaviour.body ?? "");
  return undefined;
}

function cut(server: SMTPServer, id: string): void {
  for (const connection of server.connections) {
    if (connection.id === id) connection._socket.destroy();
  }
}

const refusal = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });
