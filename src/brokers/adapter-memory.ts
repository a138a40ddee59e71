/**
 * A short text that outlives the adapter: the next owner of the connection goes on from it. Hidden
 * where it is kept. An adapter must work as well without it, and with what an earlier version wrote.
 */
export interface AdapterMemory {
  /** What was saved last; undefined when nothing was, or when it is of no use any more. */
  readonly load: () => Promise<string | undefined>;
  readonly save: (text: string) => Promise<void>;
}
