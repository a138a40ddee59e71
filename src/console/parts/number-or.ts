/** What is no number stays the text that was typed: the gateway says what is wrong with it. */
export const numberOr = (text: string): number | string =>
  text === "" || Number.isNaN(Number(text)) ? text : Number(text);
