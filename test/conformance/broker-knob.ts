/** One way in which a broker may behave otherwise than its simulator does by itself. */
export interface BrokerKnob<Settings extends object = object> {
  readonly name: string;
  readonly settings: Partial<Settings>;
  /** What of the suite cannot hold where the broker does so; `knobs.md` of its simulator says why. */
  readonly exceptions: readonly CaseNumber[];
}

/** What the name of a case of the suite begins with. */
type CaseNumber = number;

export function brokerKnob<Settings extends object>(
  name: string,
  settings: Partial<Settings>,
  exceptions: readonly CaseNumber[] = [],
): BrokerKnob<Settings> {
  return { name, settings, exceptions };
}

/** The knobs that `npm run knobs` has named, each to be turned alone; undefined where it has not. */
export function knobsAlone<Settings extends object>(
  knobs: readonly BrokerKnob<Settings>[],
): readonly (readonly [string, Partial<Settings>])[] | undefined {
  const alone = process.env["BROKER_KNOBS"]?.split(",");
  if (alone === undefined) return undefined;
  return knobs
    .filter(({ name }) => alone.includes(name))
    .map(({ name, settings }) => [name, settings] as const);
}
