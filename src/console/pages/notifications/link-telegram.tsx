import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Sheet } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import { useNow } from "../../shell/clock.ts";
import type { Destination } from "./types.ts";

type Link = components["schemas"]["DestinationLink"];

/** How the chat is linked: its owner sends a code to the bot, so that nobody else's can be. */
export function LinkTelegram({
  destination: { id, linked },
  refresh,
}: {
  destination: Destination;
  refresh: () => void;
}) {
  const action = useAction();
  const [link, setLink] = useState<Link>();
  const ask = () =>
    action.run(async () => {
      const params = { path: { id } };
      setLink(await answerOf(api.POST("/v1/destinations/{id}/link", { params })));
      refresh();
    });
  return (
    <Sheet title="The chat">
      <div class="body">
        <p role="status">
          {linked === true
            ? "A chat is linked: messages arrive there."
            : "No chat is linked yet, so nothing can be told."}
        </p>
        {link !== undefined && <Code link={link} />}
        <Problem error={action.error} />
        <div class="actions">
          <ActionButton
            action={action}
            look={linked === true ? "small" : "primary"}
            verb={linked === true ? "Link another chat" : "Link the chat"}
            onDo={() => void ask()}
          />
        </div>
      </div>
    </Sheet>
  );
}

function Code({ link: { send, until } }: { link: Link }) {
  const now = useNow();
  if (Date.parse(until) <= now) return <p class="notice">The code is too old: ask for another.</p>;
  return (
    <div class="notice">
      <p>
        Open a private chat with your bot in Telegram and send it this, until <Time at={until} />:
      </p>
      <div class="stack wide">
        <code class="secret">{send}</code>
        <CopyButton text={send} label="Copy the message" />
      </div>
    </div>
  );
}
