import assert from "node:assert/strict";
import { describe, expect, onTestFinished, test, type TestAPI } from "vitest";
import { CHANNEL_KINDS, type ChannelKind } from "../../src/domain/notify/destination.ts";
import type { ChannelDeps } from "../../src/notify/open-channels.ts";
import type { Delivery, Notice, OpenedSettings } from "../../src/trading/notify/ports.ts";
import type { Behaviour, Seen } from "../simulators/notify/behaviour.ts";
import type { NotifySimulator } from "../simulators/notify/start.ts";
import {
  ACCOUNT,
  channelsUnderTest,
  type ChannelUnderTest,
  eventOf,
  openOn,
  type Told,
} from "./channel-kit.ts";

/** What a channel has nothing of is no test of it. */
const NOWHERE = Object.assign(() => undefined, {
  each: () => () => undefined,
}) as unknown as TestAPI;
const testWhere = (isThere: boolean): TestAPI => (isThere ? test : NOWHERE);

/** Everything that some service reads as more than itself. */
const MARKUP =
  "*b* _i_ ~s~ ~~s~~ `c` ||h|| # h > q [a](https://x.test) <b>x</b> <br &amp; & &#64; \\n \\* 😀 ±×";
const MENTIONS = "@everyone @here <@123> <@&1> <!channel> <!here> <#C1> <t:1:R> @trader";
const RIGHT_TO_LEFT = "שלום עולם مرحبا";
/** A break, an override of the direction, half of a character, and what no terminal should get. */
const UNSAFE = "one\r\nFilled: forged\u2028two\u202e three \ud83d four\u0000\u0007\u001b[31m";

const NEVER = new AbortController().signal;

/** What each implementation of `Channel` promises, before a look-alike of its service. */
export function channelConformance(kind: ChannelKind, simulator: () => NotifySimulator): void {
  const subject = (): ChannelUnderTest => {
    const found = channelsUnderTest(simulator()).find((one) => one.kind === kind);
    assert(found !== undefined);
    return found;
  };

  /** Sends once. Whatever comes back holds no secret. */
  async function send(
    notice: Partial<Notice> = {},
    { to = subject().to, signal = NEVER, ...deps }: SendOptions = {},
  ): Promise<Delivery> {
    const channel = openOn(simulator(), deps).channels[kind];
    const whole = { event: eventOf(), count: 1, isSilent: false, ...notice };
    const delivery = await channel.send(whole, to, { signal });
    const reason = "reason" in delivery ? delivery.reason : "It was delivered";
    expect(subject().secrets.filter((secret) => reason.includes(secret))).toEqual([]);
    expect(reason).toMatch(/^[A-Zn][\w ,.()'/:]{5,150}$/);
    expect(reason).not.toMatch(/:\/\/|\d+\.\d+\.\d+\.\d+/);
    return delivery;
  }

  const turn = async (behaviour: Behaviour, times?: number) => {
    onTestFinished(() => simulator().turn(kind, { as: "documented" }));
    await simulator().turn(kind, behaviour, times);
  };

  const lastSeen = async (): Promise<Seen> => {
    const seen = (await simulator().seen(kind)).at(-1);
    assert(seen !== undefined, "something arrived");
    return seen;
  };

  /** Sends a notice that has to arrive, and reads what is shown of it. */
  const show = async (notice: Partial<Notice>): Promise<Told> => {
    expect(await send(notice)).toMatchObject({ kind: "delivered" });
    const { told } = subject();
    assert(told !== undefined);
    return told(await lastSeen());
  };

  describe(`The channel ${kind}`, () => {
    test("delivers, and says with which status", async () => {
      const before = (await simulator().seen(kind)).length;
      const delivery = await send();
      assert(delivery.kind === "delivered");
      expect(delivery.status).toBeGreaterThanOrEqual(200);
      expect(delivery.status).toBeLessThan(300);
      expect(await simulator().seen(kind)).toHaveLength(before + 1);
    });

    testWhere(shows(kind))("tells the title, and the sentence", async () => {
      const { title, text } = await show({
        event: eventOf({ message: "Buy 2 ESZ6 was rejected" }),
      });
      expect(title).toMatch(/order\.rejected|^Warning: Rejected by the broker$/);
      expect(text).toContain("Buy 2 ESZ6 was rejected");
    });

    testWhere(forPeople(kind))("tells in the title for how many it stands", async () => {
      expect((await show({ count: 14 })).title).toContain("(×14)");
      expect((await show({ count: 1 })).title).not.toContain("×");
    });

    testWhere(forPeople(kind))("is silent where its service can be", async () => {
      const { hasSilence } = subject();
      expect((await show({ isSilent: true })).isSilent).toBe(hasSilence);
      expect((await show({ isSilent: false })).isSilent).toBe(hasSilence && false);
    });

    testWhere(forPeople(kind))("masks the account's number", async () => {
      const { title, text } = await show({});
      expect(text).toContain("…4321");
      expect(`${title}${text}`).not.toContain(ACCOUNT);
      expect((await lastSeen()).body).not.toContain(ACCOUNT);
    });

    testWhere(shows(kind))("shows markup as what it is, and calls nobody", async () => {
      const { text } = await show({ event: eventOf({ message: MARKUP, advice: MENTIONS }) });
      expect(text).toContain(MARKUP);
      expect(text.includes(MENTIONS)).toBe(forPeople(kind));
      expect((await lastSeen()).mentions).toEqual([]);
    });

    testWhere(forPeople(kind))("lets no text from outside pretend to be a line", async () => {
      const { text } = await show({ event: eventOf({ message: `${RIGHT_TO_LEFT} ${UNSAFE}` }) });
      expect(text.split("\n")[0]).toBe(
        `${RIGHT_TO_LEFT} one Filled: forged two three \ufffd four[31m`,
      );
    });

    testWhere(shows(kind))("cuts what is too long between characters, at each place", async () => {
      for (const start of ["", "x", "xx", "xxx", "xxxx", "xxxxx"]) {
        const message = `${start}${"😀*é<&".repeat(9_000)}`;
        const { text } = await show({ event: eventOf({ message, advice: MARKUP.repeat(40) }) });
        expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(text).not.toContain("\ufffd");
        expect(text.startsWith(`${start}😀*é<&😀`)).toBe(true);
      }
    });

    test("throttled, it is to be tried again when the service says", async () => {
      await turn({ as: "throttling", seconds: 7 });
      const startedAt = performance.now();
      const delivery = await send();
      const tookMs = performance.now() - startedAt;
      assert(delivery.kind === "failed");
      // Whole seconds by the service's own clock, where it names a time.
      const { retryAfterMs = Number.NaN } = delivery;
      expect(retryAfterMs > 5_500 - tookMs && retryAfterMs <= 8_000).toBe(
        subject().saysWhen === true,
      );
      expect("retryAfterMs" in delivery).toBe(subject().saysWhen === true);
    });

    test("what is gone is gone", async () => {
      await turn({ as: "gone" });
      expect(await send()).toMatchObject({ kind: "gone" });
    });

    test("a secret that is refused is gone", async () => {
      for (const to of subject().refused) {
        expect(await send({}, { to })).toMatchObject({ kind: "gone" });
      }
    });

    test("a message that is refused concerns no other", async () => {
      await turn({ as: "refusing" });
      const { refusesSingly } = subject();
      expect(await send()).toMatchObject({ kind: refusesSingly ? "unacceptable" : "failed" });
      await turn({ as: "documented" });
      expect(await send()).toMatchObject({ kind: "delivered" });
    });

    testWhere(kind !== "email").each([408, 500, 502, 503, 504, 507])(
      "a fault (%i) is to be tried again",
      async (status) => {
        await turn({ as: "answering", status, body: "<html>" });
        expect(await send()).toEqual({ kind: "failed", reason: `It answered ${status}`, status });
      },
    );

    testWhere(kind !== "email")("a redirect is not followed", async () => {
      const other = kind === "heartbeat" ? "webhook" : "heartbeat";
      const before = await simulator().seen(other);
      await turn({
        as: "redirecting",
        to: `${simulator().url}/${other === "webhook" ? "hook" : "ping"}/x`,
      });
      expect(await send()).toMatchObject({ kind: "failed", status: 302 });
      expect(await simulator().seen(other)).toEqual(before);
    });

    testWhere(kind !== "email")("a page of somebody else is no success", async () => {
      await turn({ as: "somebody else" });
      const { takesAnySuccess } = subject();
      expect(await send()).toMatchObject({ kind: takesAnySuccess ? "delivered" : "failed" });
    });

    test("an answer that breaks off is to be tried again", async () => {
      await turn({ as: "breaking off" });
      expect(await send()).toMatchObject({ kind: "failed" });
    });

    test("what is not its protocol is to be tried again", async () => {
      await turn({ as: "noise" });
      expect(await send()).toMatchObject({ kind: "failed" });
    });

    test("an answer without an end is not read to its end", async () => {
      await turn({ as: "endless" });
      const { takesAnySuccess } = subject();
      expect(await send()).toMatchObject({ kind: takesAnySuccess ? "delivered" : "failed" });
    });

    test("without an answer it ends with the signal", async () => {
      await turn({ as: "hanging" });
      const signal = AbortSignal.timeout(300);
      const reason = "It was given up before an answer came";
      expect(await send({}, { signal })).toEqual({ kind: "failed", reason });
      expect(await send({}, { signal })).toEqual({ kind: "failed", reason });
    });

    test("without an answer it ends by itself", async () => {
      await turn({ as: "hanging" });
      const delivery = await send({}, { limitMs: 300 });
      expect(delivery).toEqual({ kind: "failed", reason: "There was no answer in time" });
    });

    test("where nobody listens it is to be tried again", async () => {
      const nobody = "http://127.0.0.1:9";
      const bases = { discord: nobody, slack: nobody, telegram: nobody, pushover: nobody };
      const to = elsewhere(subject().to, nobody);
      const reason = "There was no connection, or it broke (ECONNREFUSED)";
      expect(await send({}, { bases, to })).toEqual({ kind: "failed", reason });
    });

    test("the settings of another channel are not used", async () => {
      const others = channelsUnderTest(simulator()).filter((one) => one.kind !== kind);
      expect(others).toHaveLength(CHANNEL_KINDS.length - 1);
      for (const { to } of others) {
        expect(await send({}, { to })).toMatchObject({ kind: "unacceptable" });
      }
    });
  });
}

type SendOptions = Partial<ChannelDeps> & {
  readonly to?: OpenedSettings;
  readonly signal?: AbortSignal;
};

const shows = (kind: ChannelKind): boolean => kind !== "heartbeat";
const forPeople = (kind: ChannelKind): boolean => kind !== "heartbeat" && kind !== "webhook";

/** The same settings at another address; what has a fixed one is reached by its base. */
function elsewhere(to: OpenedSettings, url: string): OpenedSettings {
  switch (to.kind) {
    case "webhook":
    case "heartbeat":
      return { ...to, settings: { url } };
    case "ntfy":
      return { ...to, settings: { ...to.settings, server: url } };
    case "email":
      return { ...to, settings: { ...to.settings, port: Number(new URL(url).port) } };
    case "discord":
    case "slack":
    case "telegram":
    case "pushover":
      return to;
  }
}
