import type { Kind } from "./types.ts";

interface ChannelField {
  readonly name: string;
  readonly label: string;
  readonly type?: "password" | "number";
  readonly isOptional?: true;
  readonly placeholder?: string;
}

interface ChannelWords {
  readonly label: string;
  /** Where to get what is asked. */
  readonly hint: string;
  readonly fields: readonly ChannelField[];
}

const url = (label: string, placeholder: string): ChannelField => ({
  name: "url",
  label,
  type: "password",
  placeholder,
});

export const CHANNELS: Readonly<Record<Kind, ChannelWords>> = {
  ntfy: {
    label: "ntfy (push to a phone)",
    hint: "Install the ntfy app and subscribe to a topic with a long name: who guesses it can read it.",
    fields: [
      { name: "server", label: "Server", placeholder: "https://ntfy.sh" },
      { name: "topic", label: "Topic", type: "password" },
      { name: "token", label: "Access token", type: "password", isOptional: true },
    ],
  },
  telegram: {
    label: "Telegram",
    hint: "Send /newbot to @BotFather: it answers with the token. You link your chat in the next step.",
    fields: [
      { name: "botToken", label: "Bot token", type: "password" },
      { name: "chatId", label: "Chat id, if you know it", isOptional: true },
    ],
  },
  discord: {
    label: "Discord",
    hint: "In the channel's settings: Integrations, Webhooks, New webhook, Copy webhook URL.",
    fields: [url("Webhook URL", "https://discord.com/api/webhooks/…")],
  },
  slack: {
    label: "Slack",
    hint: "At api.slack.com/apps: create an app, switch Incoming Webhooks on, add one to a channel.",
    fields: [url("Webhook URL", "https://hooks.slack.com/services/…")],
  },
  pushover: {
    label: "Pushover",
    hint: "Your user key is at pushover.net; the token is that of an application you create there.",
    fields: [
      { name: "appToken", label: "Application token", type: "password" },
      { name: "userKey", label: "User or group key", type: "password" },
    ],
  },
  email: {
    label: "Email",
    hint: "Your mail provider names its SMTP server; many want an app password instead of your own.",
    fields: [
      { name: "host", label: "SMTP server", placeholder: "smtp.example.com" },
      { name: "port", label: "Port", type: "number", placeholder: "587" },
      { name: "user", label: "User name", isOptional: true },
      { name: "password", label: "Password", type: "password", isOptional: true },
      { name: "from", label: "From", placeholder: "gateway@example.com" },
      { name: "to", label: "To", placeholder: "you@example.com" },
    ],
  },
  webhook: {
    label: "Signed webhook (for a program)",
    hint: "Your program's https address. What the posts are signed with is shown once, after you add it.",
    fields: [{ name: "url", label: "URL", placeholder: "https://" }],
  },
  heartbeat: {
    label: "Heartbeat (for an outside watcher)",
    hint: "A check's ping URL, for example of healthchecks.io: it alarms you when the pings stay out, because the gateway is dead.",
    fields: [url("Ping URL", "https://hc-ping.com/…")],
  },
};

export const KINDS = Object.keys(CHANNELS) as readonly Kind[];
