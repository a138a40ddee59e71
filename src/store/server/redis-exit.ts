/** How a server process ended. */
export interface RedisExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Its last words, oldest first. */
  readonly lines: readonly string[];
}

const SHOWN_LINES = 8;

const CAUSES: readonly (readonly [RegExp, (dir: string) => string])[] = [
  [
    /Bad file format|Unrecoverable error|Unknown AOF|AOF.*(missing|doesn't exist)/i,
    (dir) =>
      `Its data is damaged. Copy ${dir} to a safe place, then repair it with\n` +
      `  redis-check-aof --fix ${dir}/appendonlydir/appendonly.aof.manifest`,
  ],
  [/No space left/i, (dir) => `The disk that holds ${dir} is full. Make room`],
  [/Permission denied|Read-only file/i, (dir) => `Let this user write to ${dir}`],
  [/allocate memory|Out Of Memory/i, () => "The memory is used up. Make more of it available"],
];

/** What happened in Redis' own words, and what to do about it. */
export function describeExit(what: string, exit: RedisExit, dir: string): string {
  const how = exit.signal === null ? `code ${exit.code}` : `signal ${exit.signal}`;
  const words = exit.lines.slice(-SHOWN_LINES);
  const cause = CAUSES.find(([pattern]) => words.some((line) => pattern.test(line)));
  return [
    `${what} (${how}). Its last words:`,
    ...words.map((line) => `  ${line}`),
    ...(cause === undefined ? [] : [`${cause[1](dir)}, then start the gateway again.`]),
  ].join("\n");
}
