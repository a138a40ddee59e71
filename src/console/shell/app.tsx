import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { AccountsPage } from "../pages/accounts/accounts-page.tsx";
import { AlertPage } from "../pages/alerts/alert-page.tsx";
import { AlertsPage } from "../pages/alerts/alerts-page.tsx";
import { CopyingPage } from "../pages/copying/copying-page.tsx";
import { KeysPage } from "../pages/keys/keys-page.tsx";
import { OverviewPage } from "../pages/overview/overview-page.tsx";
import { Gate } from "../pages/sign-in/gate.tsx";
import { SetUpPage } from "../pages/sign-in/set-up-page.tsx";
import { SignInPage } from "../pages/sign-in/sign-in-page.tsx";
import { YouPage } from "../pages/you/you-page.tsx";
import { ConfirmPerson } from "../parts/confirm-person.tsx";
import { PageTitle } from "../parts/page.tsx";
import { Bar } from "./bar.tsx";
import { followChanges } from "./live.ts";
import { place } from "./router.ts";
import { session } from "./session.ts";

/** What is shown: the sign-in to strangers, the set-up to who has its link, the rest to persons. */
export function App() {
  useEffect(() => void session.load(), []);
  const { path } = place.value;
  const state = session.state.value;
  if (path[0] === "set-up") return <SetUpPage token={path[1] ?? ""} />;
  switch (state.kind) {
    case "asking":
      return <p class="narrow">One moment …</p>;
    case "unreachable":
      return <Unreachable reason={state.reason} />;
    case "signedOut":
      return <SignInPage isOver={state.isOver} />;
    case "signedIn":
      // Another person's pages begin anew.
      return <Inside key={state.session.user.id} />;
  }
}

function Inside() {
  useEffect(() => followChanges(), []);
  useArrival();
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Bar />
      <main id="main" class="page" tabIndex={-1}>
        <Page />
      </main>
      <ConfirmPerson />
    </>
  );
}

/** Where one went is where reading and the keyboard go on, as with a page of its own. */
function useArrival(): void {
  const here = place.value.path.join("/");
  const before = useRef(here);
  useEffect(() => {
    if (before.current === here) return;
    before.current = here;
    scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [here]);
}

/** A real jump would be a place of the router. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Page() {
  const [first, second, third] = place.value.path;
  switch (first) {
    case undefined:
    case "sign-in":
      return <OverviewPage />;
    case "alerts":
      return second === undefined ? <AlertsPage /> : <AlertPage id={second} />;
    case "accounts":
      return third === "guards" ? <Apart key={third} load={loadGuards} /> : <AccountsPage />;
    case "calendars":
      return <Apart key={first} load={loadCalendars} />;
    case "webhooks":
      return <Apart key={first} load={loadWebhooks} />;
    case "account-groups":
      return <Apart key={first} load={loadAccountGroups} />;
    case "exit-plans":
      return <Apart key={first} load={loadExitPlans} />;
    case "copying":
      return <CopyingPage />;
    case "strategies":
      return <Apart key={first} load={loadStrategies} />;
    case "notifications":
      return <Apart key={first} load={loadNotifications} />;
    case "keys":
      return <KeysPage />;
    case "you":
      return <YouPage />;
    default:
      return <NoSuchPage />;
  }
}

const loadWebhooks = () =>
  import("../pages/webhooks/webhooks-page.tsx").then(({ WebhooksPage }) => WebhooksPage);

const loadAccountGroups = () =>
  import("../pages/account-groups/account-groups-page.tsx").then(
    ({ AccountGroupsPage }) => AccountGroupsPage,
  );
const loadExitPlans = () =>
  import("../pages/exit-plans/exit-plans-page.tsx").then(({ ExitPlansPage }) => ExitPlansPage);

const loadGuards = () =>
  import("../pages/guards/guards-page.tsx").then(({ GuardsPage }) => GuardsPage);

const loadCalendars = () =>
  import("../pages/calendars/calendars-page.tsx").then(({ CalendarsPage }) => CalendarsPage);

const loadStrategies = () =>
  import("../pages/strategies/strategies-page.tsx").then(({ StrategiesPage }) => StrategiesPage);

const loadNotifications = () =>
  import("../pages/notifications/notifications-page.tsx").then(
    ({ NotificationsPage }) => NotificationsPage,
  );

function NoSuchPage() {
  return (
    <>
      <PageTitle title="Page not found" />
      <p>
        Nothing is at this address. <a href="#/">Go to the overview</a>
      </p>
    </>
  );
}

const ASK_AGAIN_MS = 5_000;

function Unreachable({ reason }: { reason: string }) {
  useEffect(() => {
    const timer = setInterval(() => void session.load(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Gate title="The gateway cannot be reached">
      <p role="status">{reason}. Trying again every five seconds.</p>
      <p>
        If it trades for you and you are in a hurry, trade at the broker directly: exits that rest
        there go on working without the gateway.
      </p>
      <button type="button" onClick={() => void session.load()}>
        Try again now
      </button>
    </Gate>
  );
}

type Loaded = ComponentType | "failed" | undefined;

/**
 * A page whose script is fetched when somebody goes there. A console that was opened before an
 * update of the gateway may not get it any more; the others go on.
 */
function Apart({ load }: { load: () => Promise<ComponentType> }) {
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    let isOver = false;
    const settle = (next: Loaded) => {
      // A component is a function, which a setter would call.
      if (!isOver) setLoaded(() => next);
    };
    void load().then(settle, () => settle("failed"));
    return () => {
      isOver = true;
    };
  }, [load]);
  if (loaded === undefined) return <p class="quiet">One moment …</p>;
  if (loaded === "failed") return <NotLoaded />;
  const Page = loaded;
  return <Page />;
}

function NotLoaded() {
  return (
    <>
      <PageTitle title="This page could not be loaded" />
      <div class="notice watch" role="alert">
        <p>
          The gateway does not answer, or it was updated since you opened the console. Nothing was
          changed by that. Reload the console to continue.
        </p>
        <div class="actions">
          <button type="button" onClick={() => location.reload()}>
            Reload the console
          </button>
        </div>
      </div>
    </>
  );
}
