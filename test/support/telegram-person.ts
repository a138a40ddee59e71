import type { NotifySimulator } from "../simulators/notify/start.ts";
import type { ShownMessage } from "../simulators/notify/telegram-inbox.ts";
import { waitUntil } from "./wait.ts";

/** Somebody who writes to the bot of the look-alike. In Telegram, a private chat has its person's number. */
export class TelegramPerson {
  readonly #services: NotifySimulator;
  readonly id: number;
  readonly chat: { readonly id: number; readonly type: string };
  #presses = 0;
  #readUpTo = 0;

  constructor(services: NotifySimulator, id: number, chat = { id, type: "private" }) {
    this.#services = services;
    this.id = id;
    this.chat = chat;
  }

  get #from() {
    return { id: this.id, is_bot: false, first_name: "Somebody" };
  }

  message(text: string, secondsAgo = 0) {
    const date = Math.floor(Date.now() / 1_000) - secondsAgo;
    return { message_id: 1, date, chat: this.chat, from: this.#from, text };
  }

  async write(text: string): Promise<number> {
    this.#readUpTo = (await this.shown()).at(-1)?.id ?? 0;
    const [update = 0] = await this.#services.write({ message: this.message(text) });
    return update;
  }

  callback(data: string, messageId: number) {
    this.#presses += 1;
    const id = `press-${this.id}-${this.#presses}-${Date.now()}`;
    const message = { message_id: messageId, chat: this.chat, date: 1 };
    return { callback_query: { id, from: this.#from, chat_instance: "1", message, data } };
  }

  async press({ id, button = "" }: Pick<ShownMessage, "id" | "button">): Promise<void> {
    await this.#services.write(this.callback(button, id));
  }

  /** What stands in the chat now, oldest first. */
  async shown(): Promise<readonly ShownMessage[]> {
    const all = await this.#services.shown();
    return all.filter(({ chat }) => chat === String(this.chat.id));
  }

  /** Toasts of presses. */
  async toasts(): Promise<readonly string[]> {
    const seen = await this.#services.seen("telegram");
    return seen
      .filter(
        ({ path, body }) =>
          path.endsWith("/answerCallbackQuery") && body.includes(`press-${this.id}-`),
      )
      .map(({ body }) => String(JSON.parse(body).text ?? ""));
  }

  /** Waits for these words in a message that came after what was written last, and answers it. */
  async untilShown(words: string): Promise<ShownMessage> {
    let found: ShownMessage | undefined;
    await waitUntil(`Telegram shows "${words}"`, async () => {
      found = (await this.shown()).findLast(
        ({ id, text }) => id > this.#readUpTo && text.includes(words),
      );
      return found !== undefined;
    });
    if (found === undefined) throw new Error("It is gone");
    return found;
  }
}
