import type { ClOrdId } from "../../../../../src/domain/ids.ts";
import { intentIdOf, sentIdOf } from "../../../../../src/domain/ids.ts";
import { ContractBooks } from "../../../../../src/trading/lane/book/contract-books.ts";
import type { ReportListener } from "../../../../../src/trading/ports.ts";
import { ACCOUNT, type Lane } from "../../lane-kit.ts";

/** The books of a lane in memory, and what records the fills that its broker reports. */
export function openBooks(lane: Lane) {
  const { intents, views } = lane;
  const books = new ContractBooks({ views, elapsed: () => intents.clock });
  lane.books.kept = books;
  /** As the step that records a fill reads it off the record of its intent. */
  const closesOf = (id: ClOrdId | undefined): readonly ClOrdId[] | undefined => {
    const own = id && intentIdOf(id);
    if (own === undefined || !intents.has(ACCOUNT, own)) return undefined;
    const { intent, plan } = intents.record(ACCOUNT, own);
    if (intent.kind === "ADJUST") return intent.closes;
    if (intent.kind === "PROTECT") return "closes" in intent ? intent.closes : [];
    const left = intent.kind === "CANCEL" ? plan?.survivorClOrdId : undefined;
    return left && (closesOf(left) ?? [sentIdOf(left)]);
  };
  const record: ReportListener = (account, { fill }) => {
    if (fill === undefined) return;
    const closes = closesOf(fill.clOrdId);
    const recorded = { ...fill, ...(closes && { closes }) };
    void views.recordFills(account, [recorded], undefined);
    const news = { added: [fill.execId], corrected: [], closes: new Map() };
    books.noteFills(account, [recorded], news);
  };
  return { books, record };
}
