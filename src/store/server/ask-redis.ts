import { connect } from "node:net";

const ANSWER_MS = 1_000;

/**
 * One question on a connection of its own, for a server that may still be starting: no client
 * library's handshake and retries are in the way. Redis hangs up after QUIT, which ends the answer.
 */
export async function askRedis(socket: string, command: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    let answer = "";
    const client = connect(socket, () => client.write(`${command}\r\nQUIT\r\n`));
    client.setEncoding("utf8").on("data", (text: string) => (answer += text));
    client.once("end", () => resolve(answer)).once("error", reject);
    client.setTimeout(ANSWER_MS, () => client.destroy(new Error("Redis did not answer in time")));
  });
}
