/** What people do, as the Bot API tells it: `message`, `callback_query`, `edited_message`, … */
export type NewUpdate = Readonly<Record<string, unknown>>;

/** What the bot has last made of one of its messages. */
export interface ShownMessage {
  readonly chat: string;
  readonly id: number;
  readonly text: string;
  /** What its button sends. */
  readonly button?: string;
}

interface Update extends NewUpdate {
  readonly update_id: number;
}

/** "getUpdates": what was not asked for beyond it is kept, what was is forgotten. */
class Inbox {
  readonly #all: Update[] = [];
  #nextId = 1_001;
  /** Before it, everything is forgotten. */
  #confirmed = 0;
  #forgets = false;
  #wake: ((by: "update" | "terminated") => void) | undefined;
  readonly #messages = new Map<string, ShownMessage>();
  #nextMessage = 7;
  readonly #presses = new Set<string>();
  readonly #chats = new Set<string>();

  add(update: NewUpdate): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#all.push({ update_id: id, ...update });
    this.#noteChat(update["message"]);
    const press = update["callback_query"] as { readonly id?: string } | undefined;
    if (press?.id !== undefined) this.#presses.add(press.id);
    this.#wake?.("update");
    return id;
  }

  /** As after a failure of its own: what it was told of comes again, whatever is asked for. */
  forgetOffset(): void {
    this.#confirmed = 0;
    this.#forgets = this.#wake === undefined;
    this.#wake?.("update");
  }

  async wait({
    offset,
    limit,
    waitMs,
  }: {
    readonly offset?: number;
    readonly limit: number;
    readonly waitMs: number;
  }): Promise<readonly Update[] | "terminated"> {
    this.#wake?.("terminated");
    if (offset !== undefined && !this.#forgets) {
      this.#confirmed = Math.max(this.#confirmed, offset);
    }
    this.#forgets = false;
    const found = () =>
      this.#all.filter(({ update_id: id }) => id >= this.#confirmed).slice(0, limit);
    if (found().length > 0 || waitMs === 0) return found();
    const by = await new Promise<"update" | "terminated" | "time">((resolve) => {
      const timer = setTimeout(() => resolve("time"), waitMs);
      this.#wake = (why) => {
        clearTimeout(timer);
        resolve(why);
      };
    });
    if (by === "terminated") return by;
    this.#wake = undefined;
    return found();
  }

  note(message: Omit<ShownMessage, "id">): number {
    const id = this.#nextMessage;
    this.#nextMessage += 1;
    this.change({ ...message, id });
    return id;
  }

  change(message: ShownMessage): void {
    this.#messages.set(`${message.chat} ${message.id}`, message);
  }

  message(chat: string, id: number): ShownMessage | undefined {
    return this.#messages.get(`${chat} ${id}`);
  }

  shown(): readonly ShownMessage[] {
    return [...this.#messages.values()];
  }

  answerPress(id: string): boolean {
    return this.#presses.delete(id);
  }

  /** A bot may write only to who has written to it. */
  hasWritten(chat: string): boolean {
    return this.#chats.has(chat);
  }

  #noteChat(message: unknown): void {
    const { chat } = (message ?? {}) as { readonly chat?: { readonly id: number } };
    if (chat !== undefined) this.#chats.add(String(chat.id));
  }
}

/** Of the one bot that there is. */
export const inbox = new Inbox();
