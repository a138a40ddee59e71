import type { AccountGroupUses } from "./account-groups/account-group-uses.ts";
import type { StrategyUses } from "./strategies/strategy-uses.ts";
import type { OrderUses } from "./orders/order-uses.ts";
import type { AlertUses } from "./alerts/alert-uses.ts";
import type { WebhookUses } from "./alerts/webhook-uses.ts";
import type { AccountReads } from "./reads/account-reads.ts";
import type { AccountDayUses } from "./money/change-account-day.ts";
import type { MoneyUses } from "./money/read-money.ts";
import type { ConnectionUses } from "./connections/connection-uses.ts";
import type { GuardUses } from "./guards/guard-uses.ts";
import type { CalendarUses } from "./guards/calendar-uses.ts";
import type { ExitPlanUses } from "./exits/exit-plan-uses.ts";
import type { PositionUses } from "./connections/forget-positions.ts";
import type { RiskUses } from "./guards/risk-uses.ts";
import type { CopyUses } from "./copying/copy-uses.ts";
import type { DestinationUses } from "./notify/destination-uses.ts";
import type { CallerUses } from "./people/caller.ts";
import type { WatchChanges } from "./changes.ts";
import type { WatchConnections } from "./connections/watch-connections.ts";

/**
 * Everything that HTTP and the command line may ask of the gateway. Each answers with what
 * happened or throws a `GatewayError`; an account, token or intent that is not the caller's is
 * NOT_FOUND.
 */
export interface Gateway
  extends
    OrderUses,
    AlertUses,
    WebhookUses,
    AccountGroupUses,
    AccountReads,
    MoneyUses,
    AccountDayUses,
    ConnectionUses,
    PositionUses,
    RiskUses,
    GuardUses,
    CalendarUses,
    ExitPlanUses,
    CopyUses,
    CallerUses,
    DestinationUses,
    StrategyUses {
  readonly watchConnections: WatchConnections;
  readonly watchChanges: WatchChanges;
}
