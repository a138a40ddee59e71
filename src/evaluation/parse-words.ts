/** What the parser calls the parts of a condition that have no one spelling, and those that have. */
const PARTS: Readonly<Record<string, string>> = {
  EOF: "nothing more",
  NUMBER: "a number",
  STRING: "a text",
  BOOLEAN: "true or false",
  NULL: "null",
  IDENTIFIER: "a name",
  BYTES: "bytes",
  PLUS: '"+"',
  MINUS: '"-"',
  MULTIPLY: '"*"',
  DIVIDE: '"/"',
  MODULO: '"%"',
  EQ: '"=="',
  NE: '"!="',
  LT: '"<"',
  LE: '"<="',
  GT: '">"',
  GE: '">="',
  AND: '"&&"',
  OR: '"||"',
  NOT: '"!"',
  IN: '"in"',
  LPAREN: '"("',
  RPAREN: '")"',
  LBRACKET: '"["',
  RBRACKET: '"]"',
  LBRACE: '"{"',
  RBRACE: '"}"',
  DOT: '"."',
  COMMA: '","',
  COLON: '":"',
  QUESTION: '"?"',
};

/** The parser's complaint in words of whoever writes conditions; undefined for what is none of it. */
export function parseWords(summary: string): string | undefined {
  const { needed, found } =
    /^(?:Expected (?<needed>[A-Z]+), got|Unexpected token:) (?<found>[A-Z]+)$/.exec(summary)
      ?.groups ?? {};
  const has = PARTS[found ?? ""];
  if (has === undefined) return undefined;
  const needs = needed === undefined ? "a value" : PARTS[needed];
  if (needs === undefined) return undefined;
  if (found === "EOF") return `ends too early: ${needs} is missing`;
  return `has ${has} where ${needs} is needed`;
}
