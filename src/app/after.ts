/** Calls it once in about so many ms, which keeps no process alive. The result takes it back. */
export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms).unref();
  return () => clearTimeout(timer);
}
