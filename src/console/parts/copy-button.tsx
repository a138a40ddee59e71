import { useState } from "preact/hooks";

/** Copies a text; says so, or that the browser refused. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [answer, setAnswer] = useState<string>();
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Select and copy it by hand",
    );
    setAnswer(done);
    setTimeout(() => setAnswer(undefined), 2_500);
  };
  return (
    <>
      <button type="button" class="small" onClick={() => void copy()}>
        {answer ?? label}
      </button>
      <span class="unseen" role="status">
        {answer}
      </span>
    </>
  );
}
