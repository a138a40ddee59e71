/**
 * Answers what `pick` (the smaller or the larger of two) leaves of the values from one index until
 * another, in steps that grow with the logarithm of their number only. It keeps 16 bytes a value.
 */
export function createRangePick(
  values: readonly number[],
  pick: (one: number, other: number) => number,
): (from: number, until: number) => number | undefined {
  // A tree in an array: the values are its second half, and each node's children are 2n and 2n+1.
  const size = values.length;
  const tree = new Float64Array(2 * size);
  tree.set(values, size);
  for (let node = size - 1; node > 0; node -= 1) {
    tree[node] = pick(tree[2 * node] ?? NaN, tree[2 * node + 1] ?? NaN);
  }
  return (from, until) => {
    let picked: number | undefined;
    const take = (node: number) => {
      const value = tree[node] ?? NaN;
      picked = picked === undefined ? value : pick(picked, value);
    };
    let [left, right] = [from + size, until + size];
    while (left < right) {
      if (left % 2 === 1) take(left++);
      if (right % 2 === 1) take(--right);
      left = Math.floor(left / 2);
      right = Math.floor(right / 2);
    }
    return picked;
  };
}
