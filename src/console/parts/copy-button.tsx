import { useState } from "preact/hooks";

/** Copies a text; says so, or that the browser refused. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Select and copy it by hand",
    );
    setSaid(done);
    setTimeout(() => setSaid(undefined), 2_500);
  };
  return (
    <>
      <button type="button" class="small" onClick={() => void copy()}>
        {said ?? label}
      </button>
      <span class="unseen" role="status">
        {said}
      </span>
    </>
  );
}
