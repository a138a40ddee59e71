/**
 * The gateway's API as TypeScript types, generated from its OpenAPI document. For openapi-fetch:
 * `createClient<paths>({ baseUrl, headers: { "X-API-Key": key } })`.
 */

export interface paths {
  "/hooks/{token}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Turn an alert into a trade
     * @description Any content type. Answers within 2 seconds. Alert senders send again after a 5xx, but not after a 504: so 503 says that nothing was accepted, 504 that it may have been, and the broker's refusal is a 422. The same alert again is answered with the first one's outcome and marked. An array is answered with one answer for each alert; its status is theirs where all are 200 or all 202, else 207.
     *
     *     A way out of risk is let through when the other requests are used up.
     */
    post: operations["postAlert"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/accounts/{id}/orders": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List executed trades, newest first
     * @description Trade history, not orders: the path keeps its name for older clients. The newest 10,000 trades of each account are kept, however long the broker keeps them. Trades that come in while pages are read move nothing on the next ones.
     *
     *     Needs the scope read.
     */
    get: operations["listTrades"];
    put?: never;
    /**
     * Place an order
     * @description Answers when a market, ioc or fok order has ended, or when the broker has acknowledged any other; after 5 seconds at the latest. An ioc order that found nothing is a 201 with the status canceled. After a 500, read the intent before trying again, or repeat the call with the same Idempotency-Key.
     *
     *     Needs the scope trade.
     */
    post: operations["placeOrder"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/accounts/{id}/orders/{orderId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Cancel a single order
     * @description Never closes a position. With an unfilled entry its bracket goes too; of a partly filled one the rest is cancelled. When a leg of a filled bracket is cancelled, the other one is placed again under a new id.
     *
     *     Needs the scope trade.
     *
     *     A way out of risk is let through when the other requests are used up.
     */
    delete: operations["cancelOrder"];
    options?: never;
    head?: never;
    /**
     * Change a working order
     * @description Changes the quantity or the prices of an order that was placed here. A larger quantity is held to the limits and the kill switch like a new order, unless it reduces a position. Of a take-profit or stop-loss only the price can be changed. An order that stands as asked already is left alone, so after a 500 the call may be repeated. It can fill at once at its new price: see status.
     *
     *     Needs the scope trade.
     */
    patch: operations["modifyOrder"];
    trace?: never;
  };
  "/v1/accounts/{id}/working-orders": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List working orders
     * @description Read from the broker now: unfilled entries and live take-profits and stop-losses, those placed by hand included.
     *
     *     Needs the scope read.
     */
    get: operations["listWorkingOrders"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/accounts/{id}/positions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List open positions
     * @description As the broker last reported them; live tells whether its connection is up.
     *
     *     Needs the scope read.
     */
    get: operations["listPositions"];
    put?: never;
    post?: never;
    /**
     * Close every position of the account
     * @description Cancels the take-profits and stop-losses of what it closes. Resting entries stay. With symbol, only that symbol's position is closed.
     *
     *     Needs the scope trade.
     *
     *     A way out of risk is let through when the other requests are used up.
     */
    delete: operations["flattenAccount"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/accounts/{id}/protect": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Attach or replace the take-profit and stop-loss of an open position
     * @description For the position's full size; a level that is not given stays as it is. A pair that is there already is changed in place and keeps its ids; otherwise all that is there makes way for one new pair. A 502 PROTECTION_REPLACE_FAILED says that the position is not protected as asked: it names the levels that are gone, what stands now, and whether the old ones could be put back.
     *
     *     Needs the scope trade.
     *
     *     A way out of risk is let through when the other requests are used up.
     */
    post: operations["protectPosition"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List connected accounts
     * @description List connected accounts.
     *
     *     Needs the scope read.
     */
    get: operations["listAccounts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/user": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who the API key belongs to
     * @description Who the API key belongs to.
     *
     *     Needs the scope read.
     */
    get: operations["readUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/accounts/{id}/limits": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what the account may do at most
     * @description Read what the account may do at most.
     *
     *     Needs the scope read.
     */
    get: operations["readLimits"];
    /**
     * Change what the account may do at most
     * @description Lowering a limit needs the scope trade alone; raising one needs manage too.
     *
     *     Needs the scope trade.
     */
    put: operations["changeLimits"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/kill-switch": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the kill switch of all accounts and of each
     * @description Read the kill switch of all accounts and of each.
     *
     *     Needs the scope read.
     */
    get: operations["readKillSwitch"];
    /**
     * Stop, or allow again, everything that opens or grows a position
     * @description Switching it on cancels resting entries too. Exits are always let through. It survives restarts. Switching it off needs the scope manage too.
     *
     *     Needs the scope trade.
     *
     *     A way out of risk is let through when the other requests are used up.
     */
    put: operations["changeKillSwitch"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/accounts/{id}/intents/{intentId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what became of one call or alert
     * @description Read what became of one call or alert.
     *
     *     Needs the scope read.
     */
    get: operations["readIntent"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/accounts/{id}/intents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what is queued, under way or of unknown outcome
     * @description The working orders show none of these.
     *
     *     Needs the scope read.
     */
    get: operations["listUnsettledIntents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/alerts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List alerts and what became of each, newest first
     * @description List alerts and what became of each, newest first.
     *
     *     Needs the scope read.
     */
    get: operations["listAlerts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/alerts/{alertId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read everything about one alert
     * @description Read everything about one alert.
     *
     *     Needs the scope read.
     */
    get: operations["readAlert"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/alerts/{alertId}/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Carry out an alert that was never sent
     * @description For a person who has looked: an alert that was refused, denied, expired or withdrawn is carried out as if it came now. Asked again, it answers with the first replay.
     *
     *     Needs the scope trade.
     */
    post: operations["replayAlert"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Try an alert: everything but the sending
     * @description The body is what the sender would post, of any content type. Limits, kill switch and what the account holds decide as they would now. It stands in the alert log as a test.
     *
     *     Needs the scope trade.
     */
    post: operations["testAlert"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhooks
     * @description List webhooks.
     *
     *     Needs the scope read.
     */
    get: operations["listWebhooks"];
    put?: never;
    /**
     * Create a webhook for one account
     * @description The URL is the secret: it is shown in this answer and never again.
     *
     *     Needs the scope trade.
     */
    post: operations["createWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a webhook
     * @description Read a webhook.
     *
     *     Needs the scope read.
     */
    get: operations["readWebhook"];
    put?: never;
    post?: never;
    /**
     * Delete a webhook
     * @description Its URL stops working at once.
     *
     *     Needs the scope trade.
     */
    delete: operations["deleteWebhook"];
    options?: never;
    head?: never;
    /**
     * Change a webhook: its name, account and options, or pause it
     * @description Change a webhook: its name, account and options, or pause it.
     *
     *     Needs the scope trade.
     */
    patch: operations["changeWebhook"];
    trace?: never;
  };
  "/v1/copy-groups": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List copy groups, and how each follower stands
     * @description List copy groups, and how each follower stands.
     *
     *     Needs the scope read.
     */
    get: operations["listCopyGroups"];
    put?: never;
    /**
     * Let accounts follow another one
     * @description An account follows one leader only, and one that leads follows nobody. What the leader holds already is not opened by its followers: they join once it was flat, or by a sync.
     *
     *     Needs the scope trade.
     */
    post: operations["createCopyGroup"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/copy-groups/{groupId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a copy group, and how each follower stands
     * @description Read a copy group, and how each follower stands.
     *
     *     Needs the scope read.
     */
    get: operations["readCopyGroup"];
    put?: never;
    post?: never;
    /**
     * Delete a copy group
     * @description Nothing is copied any more. What its accounts hold stays as it is.
     *
     *     Needs the scope trade.
     */
    delete: operations["deleteCopyGroup"];
    options?: never;
    head?: never;
    /**
     * Change a copy group, pause it or resume it
     * @description Followers of a group that is resumed begin anew: what the leader opened meanwhile is not opened by them.
     *
     *     Needs the scope trade.
     */
    patch: operations["changeCopyGroup"];
    trace?: never;
  };
  "/v1/copy-groups/{groupId}/followers/{accountId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Add a follower, or set all of its terms anew
     * @description Whenever its size, map, symbols or cap become others, it joins anew. One that is stopped stays so until it is resumed.
     *
     *     Needs the scope trade.
     */
    put: operations["putFollower"];
    post?: never;
    /**
     * Let an account follow no more
     * @description What it holds stays as it is.
     *
     *     Needs the scope trade.
     */
    delete: operations["removeFollower"];
    options?: never;
    head?: never;
    /**
     * Change a follower, switch it on or off, or resume it
     * @description Change a follower, switch it on or off, or resume it.
     *
     *     Needs the scope trade.
     */
    patch: operations["changeFollower"];
    trace?: never;
  };
  "/v1/copy-groups/{groupId}/sync": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Bring followers to what the leader's position comes to, now
     * @description At the market. Followers that are joining follow in everything afterwards; to one that is stopped only exits are copied.
     *
     *     Needs the scope trade.
     */
    post: operations["syncCopyGroup"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/copy-groups/{groupId}/copies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List copies and what became of each, newest first
     * @description Of all accounts that follow now, or of one that follows or followed. The newest 10,000 of each are kept.
     *
     *     Needs the scope read.
     */
    get: operations["listCopies"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/strategies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List strategies, how each stands and what it decided last (beta)
     * @description List strategies, how each stands and what it decided last (beta).
     *
     *     Needs the scope read.
     */
    get: operations["listStrategies"];
    put?: never;
    /**
     * Create a strategy (beta)
     * @description It is data, not code: indicators over bars, and conditions in CEL. On an account, one strategy may trade a market.
     *
     *     Needs the scope trade.
     */
    post: operations["createStrategy"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/strategies/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a strategy, how it stands and what it decided last (beta)
     * @description Read a strategy, how it stands and what it decided last (beta).
     *
     *     Needs the scope read.
     */
    get: operations["readStrategy"];
    put?: never;
    post?: never;
    /**
     * Delete a strategy with its logs (beta)
     * @description What its account holds stays as it is.
     *
     *     Needs the scope trade.
     */
    delete: operations["deleteStrategy"];
    options?: never;
    head?: never;
    /**
     * Change a strategy, turn it on or off (beta)
     * @description What waits for its turn is not evaluated any more. What its account holds stays as it is.
     *
     *     Needs the scope trade.
     */
    patch: operations["changeStrategy"];
    trace?: never;
  };
  "/v1/strategies/{id}/evaluate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Evaluate a strategy now (beta)
     * @description On bars in the request, or on those of the account's own broker. With mode trade it carries out what it decides, unless dryRun is true; outcome says what became of it, a broker's refusal too. The same strategy, bars and position always decide alike.
     *
     *     Needs the scope trade.
     */
    post: operations["evaluateStrategy"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/strategies/{id}/logs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a strategy's evaluations and what became of each, newest first (beta)
     * @description Kept for 30 days, and at most the newest 50,000 of each strategy.
     *
     *     Needs the scope read.
     */
    get: operations["listStrategyLogs"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/strategies/{id}/chart": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what a strategy looks at: bars, indicators, decisions (beta)
     * @description Read what a strategy looks at: bars, indicators, decisions (beta).
     *
     *     Needs the scope read.
     */
    get: operations["readStrategyChart"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/connections": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the connections to brokers
     * @description List the connections to brokers.
     *
     *     Needs the scope read.
     */
    get: operations["listConnections"];
    put?: never;
    /**
     * Add a connection to a broker
     * @description It is logged in right after; GET /v1/connections/{id} tells how that went, and GET /v1/accounts has its accounts then. An environment stays what it is: demo and live are two connections.
     *
     *     Needs the scope manage.
     */
    post: operations["addConnection"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/connections/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a connection
     * @description Read a connection.
     *
     *     Needs the scope read.
     */
    get: operations["readConnection"];
    put?: never;
    post?: never;
    /**
     * Remove a connection
     * @description Ends its session and forgets its secrets. Its accounts become inactive: alerts for them are 403. Their history stays, and so does what is open at the broker.
     *
     *     Needs the scope manage.
     */
    delete: operations["removeConnection"];
    options?: never;
    head?: never;
    /**
     * Change a connection: its name and settings, or pause it
     * @description New settings may log in even when the broker has refused the ones before. What was sent gets its answer first.
     *
     *     Needs the scope manage.
     */
    patch: operations["changeConnection"];
    trace?: never;
  };
  "/v1/connections/{id}/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Try a connection's settings out
     * @description Logs in with them, reads the accounts and logs out; it never sends an order, and never beside a session that is up. It may take 15 seconds.
     *
     *     Needs the scope manage.
     */
    post: operations["testConnection"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/connections/{id}/reconnect": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a connection log in again
     * @description For one whose credentials or sessions the broker refused, once the reason is settled: wrong credentials, tried again, lock accounts. Any other connection is left alone: next says what it does by itself, and when.
     *
     *     Needs the scope manage.
     */
    post: operations["reconnectConnection"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/brokers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the brokers, and what a connection to each asks for
     * @description List the brokers, and what a connection to each asks for.
     *
     *     Needs the scope read.
     */
    get: operations["listBrokers"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/overview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What is held, and what needs you, over all accounts
     * @description Of the caller's own accounts and connections.
     *
     *     Needs the scope read.
     */
    get: operations["readOverview"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/connection-health/stream": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow how the broker connections stand
     * @description Server-sent events: one `data: <JSON>` line an item, and an empty line after it.
     *
     *     A `snapshot` of each broker connection comes first, and for one that appears later; a `status` at
     *     each change of the status, or of why it is that. Both carry `connectionId`, `status` and `ts` (Unix
     *     time in ms), and unless it is CONNECTED the `reason` and, where a login is planned, `retryAt`. A `heartbeat` comes
     *     every 15 seconds and carries `ts` only: after more than 30 seconds without any item the stream is dead,
     *     so connect again.
     *
     *     Statuses: CONNECTING, CONNECTED, RECONNECTING (lost, and being mended), DISCONNECTED (nobody works on
     *     it), AUTH_EXPIRED (the broker refuses the credentials), FATAL_ERROR (a person must look).
     *
     *     The stream has no lifetime of its own. It ends when the gateway stops, when its key is revoked or its
     *     session is over, and when its client leaves more than 64 KiB unread. A key or a session may have 20 streams
     *     open at a time.
     *
     *     Needs the scope read.
     */
    get: operations["streamConnectionHealth"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/stream": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow what changes
     * @description Server-sent events: all that `GET /v1/connection-health/stream` tells, and a
     *     `changed` item whenever something of the caller's looks different: what was read before is old then.
     *
     *     `changes` names each account by `accountId`, or any by null, with `what`: positions, orders, alerts,
     *     and overview for everything else, such as limits, kill switches and followers. Changes of the same second
     *     come together. An item may tell more than has changed. Whoever was not connected has missed what came
     *     meanwhile: read everything again after each connect. What follows from time alone, such as a request
     *     that waits long, is not told.
     *
     *     It ends, and counts among the 20 of a key or a session, as the other one does.
     *
     *     Needs the scope read.
     */
    get: operations["streamChanges"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/session": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who is signed in, and for how long
     * @description Who is signed in, and for how long.
     *
     *     Only for a person who is signed in.
     */
    get: operations["readSession"];
    put?: never;
    /**
     * Sign in with name and password
     * @description After 5 failures of a name from one address, 30 from one address or 20 of a name, the next attempts wait: at most 15 minutes.
     */
    post: operations["signIn"];
    /**
     * Sign out
     * @description Ends the session and its streams. What was ordered in it goes on: nobody leaves a position half closed by going.
     *
     *     Only for a person who is signed in.
     */
    delete: operations["signOut"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/session/confirm": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Confirm who one is, by the password
     * @description What gives lasting access asks for a confirmation of the last 15 minutes.
     *
     *     Only for a person who is signed in.
     */
    post: operations["confirmSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/session/passkey/options": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Begin to sign in, or to confirm, with a passkey
     * @description What it answers holds for 5 minutes, and once.
     */
    post: operations["askForPasskey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/session/passkey": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in, or confirm, with a passkey
     * @description Sign in, or confirm, with a passkey.
     */
    post: operations["signInByPasskey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/set-up/check": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Whose set-up link it is
     * @description Whose set-up link it is.
     */
    post: operations["checkSetUp"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/set-up": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Choose name and password by a set-up link
     * @description Uses the link up, ends every session that the user had, and signs in.
     */
    post: operations["setUp"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/user/password": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Change one's password
     * @description Ends all other sessions of the user.
     *
     *     Only for a person who is signed in.
     */
    put: operations["changePassword"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/passkeys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List one's passkeys
     * @description List one's passkeys.
     *
     *     Only for a person who is signed in.
     */
    get: operations["listPasskeys"];
    put?: never;
    /**
     * Add a passkey
     * @description Add a passkey.
     *
     *     Only for a person who is signed in.
     */
    post: operations["addPasskey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/passkeys/options": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Begin to add a passkey
     * @description What it answers holds for 5 minutes, and once.
     *
     *     Only for a person who is signed in.
     */
    post: operations["offerPasskey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/passkeys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Remove a passkey
     * @description Remove a passkey.
     *
     *     Only for a person who is signed in.
     */
    delete: operations["removePasskey"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List one's API keys
     * @description List one's API keys.
     *
     *     Only for a person who is signed in.
     */
    get: operations["listKeys"];
    put?: never;
    /**
     * Create an API key
     * @description The key is shown in this answer and never again.
     *
     *     Only for a person who is signed in.
     */
    post: operations["createKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/keys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description It stops working at once, its streams within a second.
     *
     *     Only for a person who is signed in.
     */
    delete: operations["revokeKey"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/healthz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the process runs
     * @description Asks nothing beyond this process: a broker that is away is no reason to restart.
     */
    get: operations["alive"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/readyz": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the gateway can take orders
     * @description Whether the gateway can take orders.
     */
    get: operations["ready"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/metrics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Metrics for Prometheus
     * @description Metrics for Prometheus.
     */
    get: operations["metrics"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api-docs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * This document
     * @description The document; for an Accept header that prefers text/html, a page that shows it and can try it out. /api-docs/schema.ts has its types for TypeScript.
     */
    get: operations["apiDocs"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api-docs/openapi.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * This document
     * @description This document.
     */
    get: operations["openApi"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Problem: {
      path: string;
      message: string;
    };
    ErrorBody: {
      /**
       * @description What went wrong, for programs. A status can have several codes
       * @enum {string}
       */
      code:
        | "VALIDATION_FAILED"
        | "UNRESOLVED_PLACEHOLDER"
        | "UNKNOWN_SYMBOL"
        | "UNAUTHORIZED"
        | "SIGN_IN_FAILED"
        | "INSUFFICIENT_SCOPE"
        | "SIGN_IN_AGAIN"
        | "CROSS_SITE_REFUSED"
        | "ACCOUNT_INACTIVE"
        | "WEBHOOK_PAUSED"
        | "SENDER_NOT_ALLOWED"
        | "NOT_FOUND"
        | "METHOD_NOT_ALLOWED"
        | "NOT_ACCEPTABLE"
        | "REQUEST_TIMEOUT"
        | "CANCEL_REJECTED"
        | "MODIFY_REJECTED"
        | "SYMBOL_MISMATCH"
        | "NO_POSITION"
        | "POSITION_HELD"
        | "OVERTAKEN_BY_EXIT"
        | "POSITION_MISMATCH"
        | "NOT_REPLAYABLE"
        | "CONNECTION_FIXED"
        | "LOGIN_IN_USE"
        | "CHANGED_MEANWHILE"
        | "COPY_LOOP"
        | "COPY_PAUSED"
        | "STRATEGY_CONFLICT"
        | "NAME_TAKEN"
        | "UNSUPPORTED_MEDIA_TYPE"
        | "IDEMPOTENCY_KEY_REUSED"
        | "EXITS_ONLY"
        | "SYMBOL_NOT_ALLOWED"
        | "LIMIT_EXCEEDED"
        | "NOT_UNDERSTOOD"
        | "CONTRACT_DISPUTED"
        | "SIDE_NOT_ALLOWED"
        | "KILL_SWITCH_ON"
        | "TOO_MANY_CONNECTIONS"
        | "TOO_MANY_KEYS"
        | "TOO_MANY_PASSKEYS"
        | "TOO_MANY_COPY_GROUPS"
        | "TOO_MANY_STRATEGIES"
        | "ALERT_TOO_OLD"
        | "RATE_LIMITED"
        | "TOO_MANY_STREAMS"
        | "INTERNAL_ERROR"
        | "OUTCOME_UNKNOWN"
        | "BROKER_ORDER_REJECTED"
        | "PROTECTION_REPLACE_FAILED"
        | "SIGN_IN_BUSY"
        | "BROKER_UNAVAILABLE"
        | "SEALING_UNAVAILABLE"
        | "INTENT_EXPIRED"
        | "STORE_UNAVAILABLE"
        | "ACCEPTANCE_UNKNOWN";
      /** @description What went wrong, for people */
      message: string;
      /** @description Each problem of a request that is not valid */
      details: components["schemas"]["Problem"][];
      /** @enum {string} */
      retry: "never" | "safe" | "check-first";
      /** @description Also in the X-Request-Id header */
      requestId: string;
      /** @description Where to look up what became of it, once it was accepted */
      intentId?: string;
      /** @description On webhooks */
      alertId?: string;
      /** @description On webhooks */
      duplicate?: boolean;
      /** @description On webhooks: fields of the alert that were passed over */
      unreadFields?: string[];
    };
    Error: {
      error: components["schemas"]["ErrorBody"];
    };
    /** @description Where an exit goes: exactly one of price, ticks and offset */
    AlertLeg: {
      price?: number | string;
      ticks?: number | string;
      offset?: number | string;
    };
    /** @description At most one take-profit and one stop-loss, linked so that one ends the other */
    AlertBracket: {
      takeProfit?: components["schemas"]["AlertLeg"];
      stopLoss?: components["schemas"]["AlertLeg"];
    };
    /** @description The native profile. Names in any case, numbers and flags as text too. Fields that charting platforms send beside an order (time, comment, close, …) are passed over and named in the answer; every other unknown name is refused, unless the alert only closes or cancels. Other profiles read other services' words; README.md has them */
    Alert: {
      /**
       * @description In any case. close, flat, flatten and exit cancel every resting order and close every position of the webhook's account; reduce closes qty contracts, or percent, of one symbol; reverse turns it around; cancel ends resting entries; protect puts exits on what is held
       * @enum {string}
       */
      action?:
        | "buy"
        | "sell"
        | "close"
        | "flat"
        | "flatten"
        | "exit"
        | "reverse"
        | "reduce"
        | "cancel"
        | "protect";
      /** @description Instead of action and qty: where the position is to stand, positive long, negative short, 0 flat */
      position?: number | string;
      /**
       * @description A contract (ESZ6, ESZ26) or, for the current front month, its root or continuous form (ES, ES1!, ES!, CME_MINI:ES1!)
       * @example ES1!
       */
      symbol?: string;
      qty?: number | string;
      percent?: number | string;
      /**
       * @description Left out, it is "market"
       * @enum {string}
       */
      type?: "market" | "limit" | "stop" | "stopLimit" | "trailingStop";
      limitPrice?: number | string;
      stopPrice?: number | string;
      trailOffset?: number | string;
      /**
       * @description Left out, it is "day"
       * @enum {string}
       */
      timeInForce?: "day" | "gtc" | "ioc" | "fok";
      bracket?: components["schemas"]["AlertBracket"];
      takeProfit?: components["schemas"]["AlertLeg"];
      stopLoss?: components["schemas"]["AlertLeg"];
      /** @description Cancel what rests in the symbol before; exits of what stays are kept. With position true unless said otherwise */
      cancelFirst?: boolean;
      /** @description Your own name for it: the same one within 24 hours is the same alert */
      alertId?: string;
      maxAgeSeconds?: number | string;
      /** @description {{timenow}}: maxAgeSeconds counts from then */
      firedAt?: string;
      /** @description Everything but the sending */
      test?: boolean;
    };
    BracketOrderIds: {
      takeProfitOrderId: string | null;
      stopLossOrderId: string | null;
    };
    Closed: {
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      qty: number;
      /** @enum {string} */
      side: "long" | "short";
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
    };
    AlertOrderDone: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      alertId: string;
      /** @enum {string} */
      outcome: "done";
      /** @description This alert came before; this is its first answer */
      duplicate?: boolean;
      /** @description Its fields that were passed over: they ask for nothing this gateway acts on */
      unreadFields?: string[];
      /** @enum {string} */
      action: "buy" | "sell";
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @enum {string} */
      status:
        | "pending"
        | "held"
        | "working"
        | "partiallyFilled"
        | "filled"
        | "canceled"
        | "expired"
        | "rejected";
      filledQty: number;
      averagePrice: number | null;
      bracket: components["schemas"]["BracketOrderIds"] | null;
      /** @description What a market order found held in another month and closed before the rest of it went to the front month. Where that rest could not follow, orderId, symbol and status are those of the order that closed */
      closed?: components["schemas"]["Closed"][];
      /** @description What was not carried out, and why: an order that only reduces a position goes without its bracket, and of one that is more than another month holds the rest may not follow. Absent when all was */
      problems?: string[];
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    Remaining: {
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      qty: number;
      /** @enum {string} */
      side: "long" | "short";
    };
    AlertFlattenDone: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      alertId: string;
      /** @enum {string} */
      outcome: "done";
      /** @description This alert came before; this is its first answer */
      duplicate?: boolean;
      /** @description Its fields that were passed over: they ask for nothing this gateway acts on */
      unreadFields?: string[];
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      closed: components["schemas"]["Closed"][];
      canceledOrders: string[];
      /** @description What could not be closed */
      remaining: components["schemas"]["Remaining"][];
      /** @description What could not be cancelled */
      remainingOrders: string[];
      /** @description Why something remains, in words; empty when nothing does */
      problems: string[];
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    /** @description As the broker showed it at the end; null when it could not be read */
    AdjustedPosition: {
      qty: number;
      /** @enum {string} */
      side: "long" | "short" | "flat";
    };
    /** @description The exits of what was held before the order, brought where they were asked for; null when none were asked for or nothing was held. The order's own are in its bracket. Exits that could not be placed are among the problems */
    AdjustExits: {
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      qty: number;
      takeProfitOrderId: string | null;
      stopLossOrderId: string | null;
    };
    /** @description The order that opened or grew the position */
    AdjustOrder: {
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @enum {string} */
      action: "buy" | "sell";
      qty: number;
      /** @enum {string} */
      status:
        | "pending"
        | "held"
        | "working"
        | "partiallyFilled"
        | "filled"
        | "canceled"
        | "expired"
        | "rejected";
      filledQty: number;
      averagePrice: number | null;
      bracket: components["schemas"]["BracketOrderIds"] | null;
    };
    AlertAdjustDone: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      alertId: string;
      /** @enum {string} */
      outcome: "done";
      /** @description This alert came before; this is its first answer */
      duplicate?: boolean;
      /** @description Its fields that were passed over: they ask for nothing this gateway acts on */
      unreadFields?: string[];
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      position: components["schemas"]["AdjustedPosition"] | null;
      closed: components["schemas"]["Closed"][];
      canceledOrders: string[];
      protected: components["schemas"]["AdjustExits"] | null;
      order: components["schemas"]["AdjustOrder"] | null;
      /** @description What was not carried out, and why, in words; empty when all was */
      problems: string[];
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    AlertProtectDone: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      alertId: string;
      /** @enum {string} */
      outcome: "done";
      /** @description This alert came before; this is its first answer */
      duplicate?: boolean;
      /** @description Its fields that were passed over: they ask for nothing this gateway acts on */
      unreadFields?: string[];
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      qty: number;
      takeProfitOrderId: string | null;
      stopLossOrderId: string | null;
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    AlertCancelDone: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      alertId: string;
      /** @enum {string} */
      outcome: "done";
      /** @description This alert came before; this is its first answer */
      duplicate?: boolean;
      /** @description Its fields that were passed over: they ask for nothing this gateway acts on */
      unreadFields?: string[];
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      canceledOrders: string[];
    };
    PriceLevel: {
      price: number | null;
    };
    TicksLevel: {
      ticks: number;
    };
    AskedBracket: {
      takeProfit:
        | (components["schemas"]["PriceLevel"] | components["schemas"]["TicksLevel"])
        | null;
      stopLoss: (components["schemas"]["PriceLevel"] | components["schemas"]["TicksLevel"]) | null;
    };
    /** @description What a place intent asked for, its symbol resolved */
    AskedOrder: {
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @enum {string} */
      action: "buy" | "sell";
      qty: number;
      /** @enum {string} */
      type: "market" | "limit" | "stop" | "stopLimit" | "trailingStop";
      limitPrice: number | null;
      stopPrice: number | null;
      trailOffset: number | null;
      /** @enum {string} */
      timeInForce: "day" | "gtc" | "ioc" | "fok";
      bracket: components["schemas"]["AskedBracket"] | null;
    };
    OrderStep: {
      /** @enum {string} */
      step: "order";
      order: components["schemas"]["AskedOrder"];
      /** @description Whether it would open or grow a position */
      adds: boolean;
    };
    CancelStep: {
      /** @enum {string} */
      step: "cancel";
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
      symbol: string | null;
    };
    CloseStep: {
      /** @enum {string} */
      step: "close";
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      qty: number;
      /** @enum {string} */
      side: "long" | "short";
    };
    ProtectStep: {
      /** @enum {string} */
      step: "protect";
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      levels: components["schemas"]["AskedBracket"] | null;
    };
    RemarkStep: {
      /**
       * @description wait: what follows would wait until something earlier is known. withhold: something asked for would be left out
       * @enum {string}
       */
      step: "wait" | "withhold";
      reason: string;
    };
    AlertTested: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      alertId: string;
      /** @enum {string} */
      outcome: "test";
      /** @description This alert came before; this is its first answer */
      duplicate?: boolean;
      /** @description Its fields that were passed over: they ask for nothing this gateway acts on */
      unreadFields?: string[];
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /** @description In this order; empty when nothing would be done */
      wouldDo: (
        | components["schemas"]["OrderStep"]
        | components["schemas"]["CancelStep"]
        | components["schemas"]["CloseStep"]
        | components["schemas"]["ProtectStep"]
        | components["schemas"]["RemarkStep"]
      )[];
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    AlertList: {
      alerts: ({
        httpStatus: number;
      } & {
        [key: string]: unknown;
      })[];
    };
    AlertAccepted: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      alertId: string;
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
      /**
       * @description pending: under way. unknown: it may be live at the broker
       * @enum {string}
       */
      outcome: "pending" | "unknown";
      /** @description This alert came before; this is its first answer */
      duplicate?: boolean;
      /** @description Its fields that were passed over: they ask for nothing this gateway acts on */
      unreadFields?: string[];
    };
    /** @description Where an exit goes: exactly one of price, ticks and offset */
    Leg: {
      /** @description A multiple of the contract's tick size */
      price?: number;
      /** @description Ticks away from the entry */
      ticks?: number;
      /** @description A distance in price */
      offset?: number;
    };
    /** @description At most one take-profit and one stop-loss, linked so that one ends the other */
    Bracket: {
      takeProfit?: components["schemas"]["Leg"];
      stopLoss?: components["schemas"]["Leg"];
    };
    /** @description limitPrice belongs to limit and stopLimit, stopPrice to stop and stopLimit, trailOffset to trailingStop */
    PlaceOrder: {
      /**
       * @description A contract (ESZ6, ESZ26) or, for the current front month, its root or continuous form (ES, ES1!, ES!, CME_MINI:ES1!)
       * @example ES1!
       */
      symbol: string;
      /** @enum {string} */
      action: "buy" | "sell";
      /** @description A number of contracts */
      qty: number;
      /**
       * @description Left out, it is "market"
       * @enum {string}
       */
      type?: "market" | "limit" | "stop" | "stopLimit" | "trailingStop";
      /** @description A multiple of the contract's tick size */
      limitPrice?: number;
      /** @description A multiple of the contract's tick size */
      stopPrice?: number;
      /** @description A distance in price */
      trailOffset?: number;
      /**
       * @description Left out, it is "day"
       * @enum {string}
       */
      timeInForce?: "day" | "gtc" | "ioc" | "fok";
      bracket?: components["schemas"]["Bracket"];
    };
    /** @description A placed order as it stood when the caller was answered */
    Order: {
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @enum {string} */
      status:
        | "pending"
        | "held"
        | "working"
        | "partiallyFilled"
        | "filled"
        | "canceled"
        | "expired"
        | "rejected";
      filledQty: number;
      averagePrice: number | null;
      bracket: components["schemas"]["BracketOrderIds"] | null;
      /** @description What a market order found held in another month and closed before the rest of it went to the front month. Where that rest could not follow, orderId, symbol and status are those of the order that closed */
      closed?: components["schemas"]["Closed"][];
      /** @description What was not carried out, and why: an order that only reduces a position goes without its bracket, and of one that is more than another month holds the rest may not follow. Absent when all was */
      problems?: string[];
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    /** @description New values of a working order; what is left out stays as it is */
    ModifyOrder: {
      /** @description The whole quantity: what is filled counts too */
      qty?: number;
      /** @description A multiple of the contract's tick size */
      limitPrice?: number;
      /** @description A multiple of the contract's tick size */
      stopPrice?: number;
      /** @description A distance in price */
      trailOffset?: number;
    };
    /** @description The order as it stood after the change */
    ModifiedOrder: {
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @enum {string} */
      status:
        | "pending"
        | "held"
        | "working"
        | "partiallyFilled"
        | "filled"
        | "canceled"
        | "expired"
        | "rejected";
      qty: number;
      filledQty: number;
      remainingQty: number;
      limitPrice: number | null;
      stopPrice: number | null;
      trailOffset: number | null;
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    /** @description The surviving leg of a filled bracket, placed again under a new id */
    ReplacedLeg: {
      /** @enum {string} */
      role: "entry" | "takeProfit" | "stopLoss";
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
    };
    Cancellation: {
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /** @enum {string} */
      status: "canceled";
      replacedLeg: components["schemas"]["ReplacedLeg"] | null;
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    /** @description The legs of an entry, by their parentOrderId; null for an order without any */
    WorkingBracket: {
      takeProfitOrderId: string | null;
      stopLossOrderId: string | null;
    };
    WorkingOrder: {
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
      symbol: string | null;
      action: ("buy" | "sell") | null;
      type: ("market" | "limit" | "stop" | "stopLimit" | "trailingStop") | null;
      qty: number | null;
      filledQty: number | null;
      remainingQty: number | null;
      limitPrice: number | null;
      stopPrice: number | null;
      trailOffset: number | null;
      timeInForce: ("day" | "gtc" | "ioc" | "fok") | null;
      status:
        | (
            | "pending"
            | "held"
            | "working"
            | "partiallyFilled"
            | "filled"
            | "canceled"
            | "expired"
            | "rejected"
          )
        | null;
      role: ("entry" | "takeProfit" | "stopLoss") | null;
      parentOrderId: string | null;
      linkedOrderId: string | null;
      bracket: components["schemas"]["WorkingBracket"] | null;
      /**
       * @description foreign: placed by hand or by another program; only a flatten, or a cancel that names it, touches it
       * @enum {string}
       */
      source: "gateway" | "foreign";
      intentId: string | null;
      updatedAt: string | null;
      problem: string | null;
    };
    WorkingOrders: {
      orders: components["schemas"]["WorkingOrder"][];
    };
    ProtectionState: {
      /**
       * @description protected: a stop-loss rests at the broker for all that is held. noneAsked: none does, and none was asked for. missing: exits that were asked for do not rest. unknown: it cannot be seen, which never means that it is well
       * @enum {string}
       */
      state: "protected" | "noneAsked" | "missing" | "unknown";
      missing: ("takeProfit" | "stopLoss")[];
      openedBy: ("alert" | "api" | "operator" | "copy" | "strategy" | "elsewhere") | null;
      reason: string | null;
    };
    RestingExit: {
      qty: number;
      price: number | null;
      trailOffset: number | null;
    };
    Position: {
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @enum {string} */
      side: "long" | "short";
      qty: number;
      averagePrice: number | null;
      markPrice: number | null;
      unrealizedPnl: number | null;
      unrealizedTicks: number | null;
      realizedPnl: number | null;
      realizedTicks: number | null;
      currency: string | null;
      tickSize: number | null;
      protection: components["schemas"]["ProtectionState"];
      stopLosses: components["schemas"]["RestingExit"][] | null;
      takeProfits: components["schemas"]["RestingExit"][] | null;
    };
    Positions: {
      positions: components["schemas"]["Position"][];
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      asOf: string;
      /** @description False while the connection is down: this may be old */
      live: boolean;
    };
    Trade: {
      id: string;
      /**
       * @description The broker's id of an order
       * @example 4000001
       */
      orderId: string;
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @enum {string} */
      side: "buy" | "sell";
      qty: number;
      price: number | null;
      realizedPnl: number | null;
      currency: string | null;
      fee: number | null;
      feeCurrency: string | null;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      time: string;
    };
    Trades: {
      trades: components["schemas"]["Trade"][];
      nextCursor: string | null;
      keptSince: string | null;
    };
    /** @description symbol may be left out while only one is held. Ticks and offsets count from the position's average price */
    Protect: {
      /**
       * @description A contract (ESZ6, ESZ26) or, for the current front month, its root or continuous form (ES, ES1!, ES!, CME_MINI:ES1!)
       * @example ES1!
       */
      symbol?: string;
      takeProfit?: components["schemas"]["Leg"];
      stopLoss?: components["schemas"]["Leg"];
    };
    Protection: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      qty: number;
      takeProfitOrderId: string | null;
      stopLossOrderId: string | null;
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    Flattened: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      closed: components["schemas"]["Closed"][];
      canceledOrders: string[];
      /** @description What could not be closed */
      remaining: components["schemas"]["Remaining"][];
      /** @description What could not be cancelled */
      remainingOrders: string[];
      /** @description Why something remains, in words; empty when nothing does */
      problems: string[];
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    Account: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      id: string;
      name: string;
      connectionId: string;
      /** @example paper */
      broker: string;
      /** @enum {string} */
      environment: "demo" | "live";
      currency: string | null;
      /** @description False when the broker no longer lets it trade */
      active: boolean;
      /** @enum {string} */
      connectionStatus:
        | "CONNECTING"
        | "CONNECTED"
        | "RECONNECTING"
        | "DISCONNECTED"
        | "AUTH_EXPIRED"
        | "FATAL_ERROR";
    };
    Accounts: {
      accounts: components["schemas"]["Account"][];
    };
    User: {
      id: string;
      name: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      createdAt: string;
    };
    Limits: {
      /** @description Contracts an order */
      maxOrderQty: number;
      /** @description Contracts held of one symbol, orders that could add to them included */
      maxPositionQty: number;
      maxOrdersPerMinute: number;
    };
    /** @description What is left out stays as it is */
    LimitsChange: {
      /** @description Contracts an order */
      maxOrderQty?: number;
      /** @description Contracts held of one symbol, orders that could add to them included */
      maxPositionQty?: number;
      maxOrdersPerMinute?: number;
    };
    AccountKillSwitch: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      active: boolean;
      reason: string | null;
      changedAt: string | null;
    };
    KillSwitch: {
      active: boolean;
      reason: string | null;
      changedAt: string | null;
      accounts: components["schemas"]["AccountKillSwitch"][];
    };
    /** @description Without accountId: the switch of all accounts at once */
    KillSwitchChange: {
      active: boolean;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId?: string;
      /** @description Why, for the record */
      reason?: string;
    };
    CanceledEntries: {
      canceledOrders: string[];
    };
    /** @description What was closed and placed to bring a position where it is to be */
    Adjusted: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      position: components["schemas"]["AdjustedPosition"] | null;
      closed: components["schemas"]["Closed"][];
      canceledOrders: string[];
      protected: components["schemas"]["AdjustExits"] | null;
      order: components["schemas"]["AdjustOrder"] | null;
      /** @description What was not carried out, and why, in words; empty when all was */
      problems: string[];
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    /** @description What a test would have sent, had it not been one. Nothing was */
    Tested: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /** @description In this order; empty when nothing would be done */
      wouldDo: (
        | components["schemas"]["OrderStep"]
        | components["schemas"]["CancelStep"]
        | components["schemas"]["CloseStep"]
        | components["schemas"]["ProtectStep"]
        | components["schemas"]["RemarkStep"]
      )[];
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
    };
    /** @description What one call or alert wanted, and what became of it */
    Intent: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      intentId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /** @enum {string} */
      kind: "place" | "cancel" | "modify" | "protect" | "flatten" | "cancelEntries" | "adjust";
      /** @enum {string} */
      source: "api" | "webhook" | "copy" | "strategy" | "operator";
      /**
       * @description prepared: not sent yet. sending: under way. unknown: it may be live at the broker. denied: refused by this gateway. rejected: refused by the broker
       * @enum {string}
       */
      state:
        | "prepared"
        | "sending"
        | "done"
        | "denied"
        | "rejected"
        | "unprotected"
        | "notSent"
        | "expired"
        | "overtaken"
        | "withdrawn"
        | "unknown"
        | "lost";
      code: string | null;
      reason: string | null;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      acceptedAt: string;
      sentAt: string | null;
      settledAt: string | null;
      /** @description Nothing was to be sent */
      test: boolean;
      aim: string | null;
      order: components["schemas"]["AskedOrder"] | null;
      orderId: string | null;
      result:
        | (
            | components["schemas"]["Order"]
            | components["schemas"]["Cancellation"]
            | components["schemas"]["ModifiedOrder"]
            | components["schemas"]["Protection"]
            | components["schemas"]["Flattened"]
            | components["schemas"]["CanceledEntries"]
            | components["schemas"]["Adjusted"]
            | components["schemas"]["Tested"]
          )
        | null;
    };
    Intents: {
      intents: components["schemas"]["Intent"][];
    };
    /** @description When it passed each stage */
    AlertTimes: {
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      received: string;
      enqueued: string | null;
      sent: string | null;
      acknowledged: string | null;
      settled: string | null;
    };
    LoggedAlertLine: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      alertId: string;
      /**
       * @description The public id of a webhook; not its secret
       * @example wh_5Q2m
       */
      webhookId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description done: carried out. pending: waits or is under way. refused: nothing was accepted. denied: this gateway refused it right before sending. rejected: the broker refused it. overtaken: the account was flattened before it was sent, and it never will be. expired, withdrawn, notSent, lost: nothing is at the broker. unknown: it may be live there. duplicate: an earlier one stands for it. test: nothing was to be sent. unprotected: the position may stand without its exits
       * @enum {string}
       */
      outcome:
        | "done"
        | "denied"
        | "rejected"
        | "unprotected"
        | "notSent"
        | "expired"
        | "overtaken"
        | "withdrawn"
        | "unknown"
        | "lost"
        | "pending"
        | "refused"
        | "duplicate"
        | "test";
      code: string | null;
      reason: string | null;
      read: string | null;
      symbol: string | null;
      place: number | null;
      test: boolean;
      duplicateOf: string | null;
      replayOf: string | null;
      senderAlertId: string | null;
      /** @description Its fields that were passed over: they ask for nothing this gateway acts on */
      unreadFields: string[];
      orderIds: string[];
      times: components["schemas"]["AlertTimes"];
    };
    LoggedAlerts: {
      alerts: components["schemas"]["LoggedAlertLine"][];
      nextCursor: string | null;
    };
    LoggedAlert: {
      /**
       * @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId}
       * @example 01J8ZK3V7M
       */
      alertId: string;
      /**
       * @description The public id of a webhook; not its secret
       * @example wh_5Q2m
       */
      webhookId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description done: carried out. pending: waits or is under way. refused: nothing was accepted. denied: this gateway refused it right before sending. rejected: the broker refused it. overtaken: the account was flattened before it was sent, and it never will be. expired, withdrawn, notSent, lost: nothing is at the broker. unknown: it may be live there. duplicate: an earlier one stands for it. test: nothing was to be sent. unprotected: the position may stand without its exits
       * @enum {string}
       */
      outcome:
        | "done"
        | "denied"
        | "rejected"
        | "unprotected"
        | "notSent"
        | "expired"
        | "overtaken"
        | "withdrawn"
        | "unknown"
        | "lost"
        | "pending"
        | "refused"
        | "duplicate"
        | "test";
      code: string | null;
      reason: string | null;
      read: string | null;
      symbol: string | null;
      place: number | null;
      test: boolean;
      duplicateOf: string | null;
      replayOf: string | null;
      senderAlertId: string | null;
      /** @description Its fields that were passed over: they ask for nothing this gateway acts on */
      unreadFields: string[];
      orderIds: string[];
      times: components["schemas"]["AlertTimes"];
      requestId: string;
      /** @description The address it came from */
      sender: string;
      /** @enum {string} */
      profile: "native" | "traderspost" | "crosstrade" | "pickmytrade" | "position";
      /** @description As received, without secrets, at most 4,096 characters */
      body: string;
      /** @description How long it was */
      bodyBytes: number;
      /** @description What was decided, in plain words */
      decisions: string[];
      /** @description Every problem, where it was refused */
      details: {
        path: string;
        message: string;
      }[];
      intent: components["schemas"]["Intent"] | null;
    };
    CreateWebhook: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      name?: string;
      /**
       * @description Whose words the alerts are written in: native is this gateway's own, position the target position of TradingView's {{strategy.market_position}}. Without it native
       * @enum {string}
       */
      profile?: "native" | "traderspost" | "crosstrade" | "pickmytrade" | "position";
      /**
       * @description Of the profile traderspost: what a buy or sell against the position does. off closes it and stops there; on closes it and enters the other side with the alert's quantity; subtract enters with what that is more than was closed. Without it off
       * @enum {string}
       */
      sideSwap?: "off" | "on" | "subtract";
      /**
       * @description Names of fields that your alerts carry beside the order and that ask for nothing. Every other name that is not known is refused. A name that may protect, limit or change an order cannot be allowed
       * @example [
       *       "rsi",
       *       "confidence"
       *     ]
       */
      allowedExtraFields?: string[];
      /** @description Contracts of an order that names no quantity */
      defaultQty?: number;
      /**
       * @description Every quantity of an alert is multiplied by it and rounded down. What is less than one contract then opens nothing: a target is flat, and what closes takes out one contract. Above 0, at most 1000, with at most 4 decimals. A percentage of a position stays as it is
       * @example 0.5
       */
      multiplier?: number | string;
      /**
       * @description What is traded instead: with NQ to MNQ an alert for NQ1! trades MNQ1!
       * @example {
       *       "NQ": "MNQ"
       *     }
       */
      symbolMap?: {
        [key: string]: string;
      };
      /**
       * @description The roots that may be traded, after the map. Exits of everything else still pass. Without it all
       * @example [
       *       "MNQ",
       *       "MES"
       *     ]
       */
      allowedSymbols?: string[];
      /**
       * @description The only side on which a position may be opened or grown. Exits always pass. Without it both
       * @enum {string}
       */
      allowedSide?: "long" | "short";
      /**
       * @description Addresses and networks that alerts may come from; tradingview stands for the addresses that TradingView publishes. Behind a reverse proxy the operator has to set TRUSTED_PROXIES. Without it everywhere
       * @example [
       *       "tradingview",
       *       "203.0.113.0/24"
       *     ]
       */
      allowedSenders?: string[];
      /** @description Age at which an unsent order that opens or grows a position is dropped */
      entryMaxAgeSeconds?: number;
      /** @description Age at which an unsent order that reduces a position is dropped, with an alarm */
      exitMaxAgeSeconds?: number;
      /** @description How long the same body counts as the same alert, sent again; 0 makes each one an alert of its own */
      duplicateWindowSeconds?: number;
      /** @description Alerts in any 60 seconds; what is above is refused with a 429 */
      rateLimitPerMinute?: number;
    };
    CreatedWebhook: {
      id: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      name: string;
      paused: boolean;
      /**
       * @description Whose words the alerts are written in: native is this gateway's own, position the target position of TradingView's {{strategy.market_position}}. Without it native
       * @enum {string|null}
       */
      profile: "native" | "traderspost" | "crosstrade" | "pickmytrade" | "position" | null;
      /**
       * @description Of the profile traderspost: what a buy or sell against the position does. off closes it and stops there; on closes it and enters the other side with the alert's quantity; subtract enters with what that is more than was closed. Without it off
       * @enum {string|null}
       */
      sideSwap: "off" | "on" | "subtract" | null;
      /**
       * @description Names of fields that your alerts carry beside the order and that ask for nothing. Every other name that is not known is refused. A name that may protect, limit or change an order cannot be allowed
       * @example [
       *       "rsi",
       *       "confidence"
       *     ]
       */
      allowedExtraFields: string[] | null;
      /** @description Contracts of an order that names no quantity */
      defaultQty: number | null;
      /**
       * @description Every quantity of an alert is multiplied by it and rounded down. What is less than one contract then opens nothing: a target is flat, and what closes takes out one contract. Above 0, at most 1000, with at most 4 decimals. A percentage of a position stays as it is
       * @example 0.5
       */
      multiplier: string | null;
      /**
       * @description What is traded instead: with NQ to MNQ an alert for NQ1! trades MNQ1!
       * @example {
       *       "NQ": "MNQ"
       *     }
       */
      symbolMap: {
        [key: string]: string;
      } | null;
      /**
       * @description The roots that may be traded, after the map. Exits of everything else still pass. Without it all
       * @example [
       *       "MNQ",
       *       "MES"
       *     ]
       */
      allowedSymbols: string[] | null;
      /**
       * @description The only side on which a position may be opened or grown. Exits always pass. Without it both
       * @enum {string|null}
       */
      allowedSide: "long" | "short" | null;
      /**
       * @description Addresses and networks that alerts may come from; tradingview stands for the addresses that TradingView publishes. Behind a reverse proxy the operator has to set TRUSTED_PROXIES. Without it everywhere
       * @example [
       *       "tradingview",
       *       "203.0.113.0/24"
       *     ]
       */
      allowedSenders: string[] | null;
      /** @description Age at which an unsent order that opens or grows a position is dropped */
      entryMaxAgeSeconds: number | null;
      /** @description Age at which an unsent order that reduces a position is dropped, with an alarm */
      exitMaxAgeSeconds: number | null;
      /** @description How long the same body counts as the same alert, sent again; 0 makes each one an alert of its own */
      duplicateWindowSeconds: number | null;
      /** @description Alerts in any 60 seconds; what is above is refused with a 429 */
      rateLimitPerMinute: number | null;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      createdAt: string;
      lastUsedAt: string | null;
      /** @description Post alerts here. A secret, shown this once */
      url: string;
      /** @description What to paste into an alert on a strategy, in the words of the profile */
      message: string;
      warning: string | null;
    };
    Webhook: {
      id: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      name: string;
      paused: boolean;
      /**
       * @description Whose words the alerts are written in: native is this gateway's own, position the target position of TradingView's {{strategy.market_position}}. Without it native
       * @enum {string|null}
       */
      profile: "native" | "traderspost" | "crosstrade" | "pickmytrade" | "position" | null;
      /**
       * @description Of the profile traderspost: what a buy or sell against the position does. off closes it and stops there; on closes it and enters the other side with the alert's quantity; subtract enters with what that is more than was closed. Without it off
       * @enum {string|null}
       */
      sideSwap: "off" | "on" | "subtract" | null;
      /**
       * @description Names of fields that your alerts carry beside the order and that ask for nothing. Every other name that is not known is refused. A name that may protect, limit or change an order cannot be allowed
       * @example [
       *       "rsi",
       *       "confidence"
       *     ]
       */
      allowedExtraFields: string[] | null;
      /** @description Contracts of an order that names no quantity */
      defaultQty: number | null;
      /**
       * @description Every quantity of an alert is multiplied by it and rounded down. What is less than one contract then opens nothing: a target is flat, and what closes takes out one contract. Above 0, at most 1000, with at most 4 decimals. A percentage of a position stays as it is
       * @example 0.5
       */
      multiplier: string | null;
      /**
       * @description What is traded instead: with NQ to MNQ an alert for NQ1! trades MNQ1!
       * @example {
       *       "NQ": "MNQ"
       *     }
       */
      symbolMap: {
        [key: string]: string;
      } | null;
      /**
       * @description The roots that may be traded, after the map. Exits of everything else still pass. Without it all
       * @example [
       *       "MNQ",
       *       "MES"
       *     ]
       */
      allowedSymbols: string[] | null;
      /**
       * @description The only side on which a position may be opened or grown. Exits always pass. Without it both
       * @enum {string|null}
       */
      allowedSide: "long" | "short" | null;
      /**
       * @description Addresses and networks that alerts may come from; tradingview stands for the addresses that TradingView publishes. Behind a reverse proxy the operator has to set TRUSTED_PROXIES. Without it everywhere
       * @example [
       *       "tradingview",
       *       "203.0.113.0/24"
       *     ]
       */
      allowedSenders: string[] | null;
      /** @description Age at which an unsent order that opens or grows a position is dropped */
      entryMaxAgeSeconds: number | null;
      /** @description Age at which an unsent order that reduces a position is dropped, with an alarm */
      exitMaxAgeSeconds: number | null;
      /** @description How long the same body counts as the same alert, sent again; 0 makes each one an alert of its own */
      duplicateWindowSeconds: number | null;
      /** @description Alerts in any 60 seconds; what is above is refused with a 429 */
      rateLimitPerMinute: number | null;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      createdAt: string;
      lastUsedAt: string | null;
    };
    Webhooks: {
      webhooks: components["schemas"]["Webhook"][];
    };
    /** @description What is left out stays as it is; null puts an option back to what the gateway does by itself */
    ChangeWebhook: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId?: string;
      name?: string;
      paused?: boolean;
      /**
       * @description Whose words the alerts are written in: native is this gateway's own, position the target position of TradingView's {{strategy.market_position}}. Without it native
       * @enum {string|null}
       */
      profile?: "native" | "traderspost" | "crosstrade" | "pickmytrade" | "position" | null;
      /**
       * @description Of the profile traderspost: what a buy or sell against the position does. off closes it and stops there; on closes it and enters the other side with the alert's quantity; subtract enters with what that is more than was closed. Without it off
       * @enum {string|null}
       */
      sideSwap?: "off" | "on" | "subtract" | null;
      /**
       * @description Names of fields that your alerts carry beside the order and that ask for nothing. Every other name that is not known is refused. A name that may protect, limit or change an order cannot be allowed
       * @example [
       *       "rsi",
       *       "confidence"
       *     ]
       */
      allowedExtraFields?: string[] | null;
      /** @description Contracts of an order that names no quantity */
      defaultQty?: number | null;
      /**
       * @description Every quantity of an alert is multiplied by it and rounded down. What is less than one contract then opens nothing: a target is flat, and what closes takes out one contract. Above 0, at most 1000, with at most 4 decimals. A percentage of a position stays as it is
       * @example 0.5
       */
      multiplier?: number | string | null;
      /**
       * @description What is traded instead: with NQ to MNQ an alert for NQ1! trades MNQ1!
       * @example {
       *       "NQ": "MNQ"
       *     }
       */
      symbolMap?: {
        [key: string]: string;
      } | null;
      /**
       * @description The roots that may be traded, after the map. Exits of everything else still pass. Without it all
       * @example [
       *       "MNQ",
       *       "MES"
       *     ]
       */
      allowedSymbols?: string[] | null;
      /**
       * @description The only side on which a position may be opened or grown. Exits always pass. Without it both
       * @enum {string|null}
       */
      allowedSide?: "long" | "short" | null;
      /**
       * @description Addresses and networks that alerts may come from; tradingview stands for the addresses that TradingView publishes. Behind a reverse proxy the operator has to set TRUSTED_PROXIES. Without it everywhere
       * @example [
       *       "tradingview",
       *       "203.0.113.0/24"
       *     ]
       */
      allowedSenders?: string[] | null;
      /** @description Age at which an unsent order that opens or grows a position is dropped */
      entryMaxAgeSeconds?: number | null;
      /** @description Age at which an unsent order that reduces a position is dropped, with an alarm */
      exitMaxAgeSeconds?: number | null;
      /** @description How long the same body counts as the same alert, sent again; 0 makes each one an alert of its own */
      duplicateWindowSeconds?: number | null;
      /** @description Alerts in any 60 seconds; what is above is refused with a 429 */
      rateLimitPerMinute?: number | null;
    };
    NewFollower: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description The follower's contracts for one of the leader's. Above 0, at most 1000, with at most 4 decimals. Without it and fixedQty 1
       * @example 0.5
       */
      multiplier?: number | string;
      /**
       * @description Of what the multiplier makes of the leader's whole position; halves go up with nearest. Without it down
       * @enum {string}
       */
      rounding?: "down" | "nearest" | "up";
      /** @description Instead of a multiplier: so many contracts, whenever the leader holds any, on its side */
      fixedQty?: number;
      /** @description Short where the leader is long. Only with the mode fills. Without it false */
      invert?: boolean;
      /**
       * @description What is traded instead, in the same month: with NQ to MNQ the leader's NQZ6 is MNQZ6
       * @example {
       *       "NQ": "MNQ"
       *     }
       */
      symbolMap?: {
        [key: string]: string;
      };
      /**
       * @description The roots that are copied, after the map; nothing of others is. Without it all
       * @example [
       *       "MNQ",
       *       "MES"
       *     ]
       */
      allowedSymbols?: string[];
      /** @description The most contracts of one position, after multiplier and rounding */
      maxQty?: number;
      /** @description While it is false nothing is copied, exits neither. Without it true */
      enabled?: boolean;
    };
    CreateCopyGroup: {
      /** @example Evaluations */
      name?: string;
      /**
       * @description fills: what the leader's fills add up to, at the market. orders: its working orders and exits too. Without it fills
       * @enum {string}
       */
      mode?: "fills" | "orders";
      /**
       * @description What is done about a follower that does not hold what it is to hold. alarm: it is told. repair: it is brought there, three times in a row at most. flatten: what it holds in contracts that are copied is closed, and it is stopped. What it held before it followed is left alone. Without it alarm
       * @enum {string}
       */
      driftPolicy?: "alarm" | "repair" | "flatten";
      /** @description How long a follower may be away before it counts as drifted. Without it 10 */
      driftAfterSeconds?: number;
      /** @description What the leader did longer ago opens and grows nothing any more; exits pass. Without it 30 */
      maxAgeSeconds?: number;
      /** @description So many refused copies in a row stop a follower: only exits are copied to it then. Without it 3 */
      stopAfterRejects?: number;
      /** @description While it is true nothing is copied, exits neither. Without it false */
      paused?: boolean;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      leaderAccountId: string;
      followers: components["schemas"]["NewFollower"][];
    };
    CopyLeader: {
      /** @enum {string} */
      connectionStatus:
        | "CONNECTING"
        | "CONNECTED"
        | "RECONNECTING"
        | "DISCONNECTED"
        | "AUTH_EXPIRED"
        | "FATAL_ERROR";
    };
    FollowerPosition: {
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @description What the leader holds of what is copied into it: positive long, negative short */
      leaderQty: number;
      /** @description What that comes to for the follower: positive long, negative short */
      targetQty: number;
      /** @description What it holds: positive long, negative short */
      heldQty: number;
      /** @description What it holds beyond what it is to hold as it stands now; 0 is well */
      driftQty: number;
    };
    Follower: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      multiplier: string | null;
      /**
       * @description Of what the multiplier makes of the leader's whole position; halves go up with nearest. Without it down
       * @enum {string|null}
       */
      rounding: "down" | "nearest" | "up" | null;
      /** @description Instead of a multiplier: so many contracts, whenever the leader holds any, on its side */
      fixedQty: number | null;
      /** @description Short where the leader is long. Only with the mode fills. Without it false */
      invert: boolean;
      /**
       * @description What is traded instead, in the same month: with NQ to MNQ the leader's NQZ6 is MNQZ6
       * @example {
       *       "NQ": "MNQ"
       *     }
       */
      symbolMap: {
        [key: string]: string;
      };
      /**
       * @description The roots that are copied, after the map; nothing of others is. Without it all
       * @example [
       *       "MNQ",
       *       "MES"
       *     ]
       */
      allowedSymbols: string[] | null;
      /** @description The most contracts of one position, after multiplier and rounding */
      maxQty: number | null;
      /** @description While it is false nothing is copied, exits neither. Without it true */
      enabled: boolean;
      /**
       * @description The first that is true. paused: the group is. off: not enabled. offline: its connection is down, or the leader's. stopped: by a guard; only exits are copied until you resume it. drifting: it does not hold what it is to hold. joining: it came, or was reached, too late for what the leader holds; in those contracts only exits are copied until the leader was flat, or after a sync. following: all is well
       * @enum {string}
       */
      state: "paused" | "off" | "offline" | "stopped" | "drifting" | "joining" | "following";
      reason: string | null;
      stoppedAt: string | null;
      /** @description Contracts of which something is held or is to be */
      positions: components["schemas"]["FollowerPosition"][];
    };
    CopyGroup: {
      /**
       * @description A copy group's id, as listed by GET /v1/copy-groups
       * @example cg_4f8a2c90d1e7
       */
      id: string;
      /** @example Evaluations */
      name: string;
      /**
       * @description fills: what the leader's fills add up to, at the market. orders: its working orders and exits too. Without it fills
       * @enum {string}
       */
      mode: "fills" | "orders";
      /**
       * @description What is done about a follower that does not hold what it is to hold. alarm: it is told. repair: it is brought there, three times in a row at most. flatten: what it holds in contracts that are copied is closed, and it is stopped. What it held before it followed is left alone. Without it alarm
       * @enum {string}
       */
      driftPolicy: "alarm" | "repair" | "flatten";
      /** @description How long a follower may be away before it counts as drifted. Without it 10 */
      driftAfterSeconds: number;
      /** @description What the leader did longer ago opens and grows nothing any more; exits pass. Without it 30 */
      maxAgeSeconds: number;
      /** @description So many refused copies in a row stop a follower: only exits are copied to it then. Without it 3 */
      stopAfterRejects: number;
      /** @description While it is true nothing is copied, exits neither. Without it false */
      paused: boolean;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      leaderAccountId: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      createdAt: string;
      leader: components["schemas"]["CopyLeader"];
      followers: components["schemas"]["Follower"][];
    };
    CopyGroups: {
      copyGroups: components["schemas"]["CopyGroup"][];
    };
    /** @description What is left out stays as it is */
    ChangeCopyGroup: {
      /** @example Evaluations */
      name?: string;
      /**
       * @description fills: what the leader's fills add up to, at the market. orders: its working orders and exits too. Without it fills
       * @enum {string}
       */
      mode?: "fills" | "orders";
      /**
       * @description What is done about a follower that does not hold what it is to hold. alarm: it is told. repair: it is brought there, three times in a row at most. flatten: what it holds in contracts that are copied is closed, and it is stopped. What it held before it followed is left alone. Without it alarm
       * @enum {string}
       */
      driftPolicy?: "alarm" | "repair" | "flatten";
      /** @description How long a follower may be away before it counts as drifted. Without it 10 */
      driftAfterSeconds?: number;
      /** @description What the leader did longer ago opens and grows nothing any more; exits pass. Without it 30 */
      maxAgeSeconds?: number;
      /** @description So many refused copies in a row stop a follower: only exits are copied to it then. Without it 3 */
      stopAfterRejects?: number;
      /** @description While it is true nothing is copied, exits neither. Without it false */
      paused?: boolean;
    };
    /** @description All of the follower's terms: what is left out is what the gateway does by itself */
    PutFollower: {
      /**
       * @description The follower's contracts for one of the leader's. Above 0, at most 1000, with at most 4 decimals. Without it and fixedQty 1
       * @example 0.5
       */
      multiplier?: number | string;
      /**
       * @description Of what the multiplier makes of the leader's whole position; halves go up with nearest. Without it down
       * @enum {string}
       */
      rounding?: "down" | "nearest" | "up";
      /** @description Instead of a multiplier: so many contracts, whenever the leader holds any, on its side */
      fixedQty?: number;
      /** @description Short where the leader is long. Only with the mode fills. Without it false */
      invert?: boolean;
      /**
       * @description What is traded instead, in the same month: with NQ to MNQ the leader's NQZ6 is MNQZ6
       * @example {
       *       "NQ": "MNQ"
       *     }
       */
      symbolMap?: {
        [key: string]: string;
      };
      /**
       * @description The roots that are copied, after the map; nothing of others is. Without it all
       * @example [
       *       "MNQ",
       *       "MES"
       *     ]
       */
      allowedSymbols?: string[];
      /** @description The most contracts of one position, after multiplier and rounding */
      maxQty?: number;
      /** @description While it is false nothing is copied, exits neither. Without it true */
      enabled?: boolean;
    };
    /** @description What is left out stays as it is; null clears */
    ChangeFollower: {
      /**
       * @description The follower's contracts for one of the leader's. Above 0, at most 1000, with at most 4 decimals. Without it and fixedQty 1
       * @example 0.5
       */
      multiplier?: number | string;
      /**
       * @description Of what the multiplier makes of the leader's whole position; halves go up with nearest. Without it down
       * @enum {string}
       */
      rounding?: "down" | "nearest" | "up";
      /** @description Instead of a multiplier: so many contracts, whenever the leader holds any, on its side */
      fixedQty?: number;
      /** @description Short where the leader is long. Only with the mode fills. Without it false */
      invert?: boolean;
      /**
       * @description What is traded instead, in the same month: with NQ to MNQ the leader's NQZ6 is MNQZ6
       * @example {
       *       "NQ": "MNQ"
       *     }
       */
      symbolMap?: {
        [key: string]: string;
      };
      /**
       * @description The roots that are copied, after the map; nothing of others is. Without it all
       * @example [
       *       "MNQ",
       *       "MES"
       *     ]
       */
      allowedSymbols?: string[] | null;
      /** @description The most contracts of one position, after multiplier and rounding */
      maxQty?: number | null;
      /** @description While it is false nothing is copied, exits neither. Without it true */
      enabled?: boolean;
      /**
       * @description Ends what a guard has stopped
       * @enum {boolean}
       */
      resume?: true;
    };
    /** @description One follower, or every one that is on */
    SyncCopyGroup: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId?: string;
    };
    SyncCopy: {
      /**
       * @description Also the id of its intent, where there is one
       * @example i3f9a0c4d17be52a6c0d91e8b7f24
       */
      copyId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      symbol: string | null;
      targetQty: number | null;
    };
    SyncCopies: {
      copies: components["schemas"]["SyncCopy"][];
    };
    LeaderEvent: {
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @enum {string} */
      action: "buy" | "sell";
      qty: number;
      averagePrice: number | null;
      /**
       * Format: date-time
       * @description By the leader's broker
       */
      at: string;
      orderId: string | null;
    };
    Copy: {
      /**
       * @description Also the id of its intent, where there is one
       * @example i3f9a0c4d17be52a6c0d91e8b7f24
       */
      id: string;
      /**
       * @description A copy group's id, as listed by GET /v1/copy-groups
       * @example cg_4f8a2c90d1e7
       */
      groupId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      leaderAccountId: string;
      /**
       * @description fill, order: the leader's. drift: a repair, or a flatten by the drift policy. sync: you asked for it
       * @enum {string}
       */
      cause: "fill" | "order" | "drift" | "sync";
      /**
       * @description done: carried out, or nothing was to be done. pending: waits or is under way. skipped: nothing was to be sent, for the reason given. denied: this gateway refused it right before sending. rejected: the broker refused it. expired: too old, or a newer copy stands for it. withdrawn, notSent, lost: nothing is at the broker. unknown: it may be live there. unprotected: the position may stand without its exits
       * @enum {string}
       */
      outcome:
        | "done"
        | "denied"
        | "rejected"
        | "unprotected"
        | "notSent"
        | "expired"
        | "overtaken"
        | "withdrawn"
        | "unknown"
        | "lost"
        | "pending"
        | "skipped";
      reason: string | null;
      symbol: string | null;
      targetQty: number | null;
      leader: components["schemas"]["LeaderEvent"] | null;
      filledQty: number;
      averagePrice: number | null;
      slippageTicks: number | null;
      sentMs: number | null;
      settledMs: number | null;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      notedAt: string;
      /** @description What was decided, in plain words */
      decisions: string[];
      intentId: string | null;
    };
    Copies: {
      copies: components["schemas"]["Copy"][];
      nextCursor: string | null;
    };
    /** @description sma, ema, wma, rma, rsi, roc: period, source. atr, adx, cci, donchian: period. macd: fast, slow, signal, source. bollinger: period, deviations, source. stochastic: period, smoothK, smoothD */
    Indicator: {
      /** @enum {string} */
      type:
        | "sma"
        | "ema"
        | "wma"
        | "rma"
        | "rsi"
        | "roc"
        | "atr"
        | "adx"
        | "cci"
        | "macd"
        | "bollinger"
        | "stochastic"
        | "donchian";
      period?: number;
      /**
       * @description typical is (high + low + close) / 3. Without it close
       * @enum {string}
       */
      source?: "open" | "high" | "low" | "close" | "typical";
      fast?: number;
      slow?: number;
      signal?: number;
      deviations?: number;
      smoothK?: number;
      smoothD?: number;
    };
    /** @description Expressions in CEL that come to true or false. Series are lists, newest first: close[0] is the newest bar's. There are open, high, low, close, volume, the indicators by their names, position (net, qty, side, averagePrice), time (hour, minute, weekday, day, month, year) and the functions crossesAbove, crossesBelow, highest, lowest, abs, min, max. What is left out is never true */
    StrategyConditions: {
      /** @example fast[0] > slow[0] */
      enterLong?: string;
      /** @example fast[0] > slow[0] */
      exitLong?: string;
      /** @example fast[0] > slow[0] */
      enterShort?: string;
      /** @example fast[0] > slow[0] */
      exitShort?: string;
    };
    /** @description How far an exit is from the entry: exactly one of ticks and offset */
    StrategyLeg: {
      /** @description Ticks away from the entry */
      ticks?: number;
      /** @description A distance in price */
      offset?: number;
    };
    /** @description Placed with each entry, linked so that one ends the other */
    StrategyBracket: {
      takeProfit?: components["schemas"]["StrategyLeg"];
      stopLoss?: components["schemas"]["StrategyLeg"];
    };
    StrategySchedule: {
      /**
       * @description Minute, hour, day, month, weekday, which must all hold; a field for seconds may come first. Never closer together than 10 seconds. The hour that comes twice in autumn has its slots once
       * @example *\/5 8-15 * * MON-FRI
       */
      cron: string;
      /**
       * @description An IANA time zone; conditions read the clock in it too
       * @example America/Chicago
       */
      timeZone: string;
    };
    /** @description Slots that were missed together, slotAt the newest */
    MissedSlots: {
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      fromAt: string;
      /** @description At least */
      slots: number;
    };
    Evaluation: {
      /**
       * @description Also the id of its intent, where there is one
       * @example i5d20c7a91be3f684a0c9d1e8b7f2
       */
      id: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /** @enum {string} */
      trigger: "schedule" | "request";
      dryRun: boolean;
      /**
       * @description enterLong, enterShort: be in on that side, out of the other one first. exit: be flat. hold: nothing changes. notReady: too few bars. stale: the newest bar is too old. failed: no bars, or a condition has no value. missed: nobody was there at its slot in time. skipped: the strategy was changed before its turn
       * @enum {string}
       */
      decision:
        | "enterLong"
        | "enterShort"
        | "exit"
        | "hold"
        | "notReady"
        | "stale"
        | "failed"
        | "missed"
        | "skipped";
      reason: string | null;
      /**
       * @description none: nothing was to change. dryRun, observed, off: nothing was sent, for that reason. pending: its intent is under way. done: carried out. denied: this gateway refused it right before sending. rejected: the broker refused it. notSent, expired, withdrawn, lost: nothing is at the broker. unknown: it may be live there. unprotected: the position may stand without its exits
       * @enum {string}
       */
      outcome:
        | "none"
        | "dryRun"
        | "observed"
        | "off"
        | "pending"
        | "done"
        | "denied"
        | "rejected"
        | "unprotected"
        | "notSent"
        | "expired"
        | "overtaken"
        | "withdrawn"
        | "unknown"
        | "lost";
      outcomeReason: string | null;
      intentId: string | null;
      symbol: string | null;
      slotAt: string | null;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      startedAt: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      endedAt: string;
      barsEndAt: string | null;
      barCount: number | null;
      inputsHash: string | null;
      heldQty: number | null;
      targetQty: number | null;
      /** @description What each indicator comes to at the newest bar; null where it has no number */
      values: {
        [key: string]:
          | number
          | {
              [key: string]: number;
            }
          | null;
      };
      conditions: {
        [key: string]: boolean;
      };
      computeMs: number | null;
      durationMs: number | null;
      missed: components["schemas"]["MissedSlots"] | null;
    };
    Strategy: {
      /**
       * @description A strategy's id, as listed by GET /v1/strategies
       * @example st_9b1c07d24e6f
       */
      id: string;
      /** @example EMA cross */
      name: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description A contract (ESZ6, ESZ26) or, for the current front month, its root or continuous form (ES, ES1!, ES!, CME_MINI:ES1!)
       * @example ES1!
       */
      symbol: string;
      /**
       * @description How long a bar is. Bars begin at whole multiples of it since midnight UTC
       * @enum {integer}
       */
      barMinutes: 1 | 2 | 3 | 5 | 10 | 15 | 30 | 60 | 120 | 240 | 1440;
      /** @description How many bars are looked at; indicators begin at the oldest one. Without it 200 */
      barCount: number;
      /**
       * @description By the names that conditions use
       * @example {
       *       "fast": {
       *         "type": "ema",
       *         "period": 9
       *       },
       *       "slow": {
       *         "type": "ema",
       *         "period": 21
       *       }
       *     }
       */
      indicators: {
        [key: string]: components["schemas"]["Indicator"];
      };
      conditions: components["schemas"]["StrategyConditions"];
      /** @description Contracts of an entry. Without it 1 */
      qty: number;
      /**
       * @description observe: decisions are logged, and nothing is sent. Without it observe
       * @enum {string}
       */
      mode: "observe" | "trade";
      /** @description While it is false its schedule rests and it sends nothing. Without it true */
      enabled: boolean;
      bracket: components["schemas"]["StrategyBracket"] | null;
      schedule: components["schemas"]["StrategySchedule"] | null;
      /**
       * @description off: not enabled. onRequest: it has no schedule. scheduled: all is well. failing: its newest slot was missed or could not be evaluated, or what it decided was not carried out
       * @enum {string}
       */
      state: "off" | "onRequest" | "scheduled" | "failing";
      reason: string | null;
      nextEvaluationAt: string | null;
      lastEvaluation: components["schemas"]["Evaluation"] | null;
      /** @description Grows with each change */
      version: number;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      changedAt: string;
    };
    Strategies: {
      strategies: components["schemas"]["Strategy"][];
    };
    CreateStrategy: {
      /** @example EMA cross */
      name?: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      /**
       * @description A contract (ESZ6, ESZ26) or, for the current front month, its root or continuous form (ES, ES1!, ES!, CME_MINI:ES1!)
       * @example ES1!
       */
      symbol: string;
      /**
       * @description How long a bar is. Bars begin at whole multiples of it since midnight UTC
       * @enum {integer}
       */
      barMinutes: 1 | 2 | 3 | 5 | 10 | 15 | 30 | 60 | 120 | 240 | 1440;
      /** @description How many bars are looked at; indicators begin at the oldest one. Without it 200 */
      barCount?: number;
      /**
       * @description By the names that conditions use
       * @example {
       *       "fast": {
       *         "type": "ema",
       *         "period": 9
       *       },
       *       "slow": {
       *         "type": "ema",
       *         "period": 21
       *       }
       *     }
       */
      indicators?: {
        [key: string]: components["schemas"]["Indicator"];
      };
      conditions: components["schemas"]["StrategyConditions"];
      /** @description Contracts of an entry. Without it 1 */
      qty?: number;
      /**
       * @description observe: decisions are logged, and nothing is sent. Without it observe
       * @enum {string}
       */
      mode?: "observe" | "trade";
      /** @description While it is false its schedule rests and it sends nothing. Without it true */
      enabled?: boolean;
      bracket?: components["schemas"]["StrategyBracket"];
      schedule?: components["schemas"]["StrategySchedule"];
    };
    /** @description Placed with each entry, linked so that one ends the other */
    BracketOrNone: {
      takeProfit?: components["schemas"]["StrategyLeg"];
      stopLoss?: components["schemas"]["StrategyLeg"];
    } | null;
    ScheduleOrNone: {
      /**
       * @description Minute, hour, day, month, weekday, which must all hold; a field for seconds may come first. Never closer together than 10 seconds. The hour that comes twice in autumn has its slots once
       * @example *\/5 8-15 * * MON-FRI
       */
      cron: string;
      /**
       * @description An IANA time zone; conditions read the clock in it too
       * @example America/Chicago
       */
      timeZone: string;
    } | null;
    /** @description What is left out stays as it is; null clears. indicators and conditions are set anew as a whole */
    ChangeStrategy: {
      /** @example EMA cross */
      name?: string;
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId?: string;
      /**
       * @description A contract (ESZ6, ESZ26) or, for the current front month, its root or continuous form (ES, ES1!, ES!, CME_MINI:ES1!)
       * @example ES1!
       */
      symbol?: string;
      /**
       * @description How long a bar is. Bars begin at whole multiples of it since midnight UTC
       * @enum {integer}
       */
      barMinutes?: 1 | 2 | 3 | 5 | 10 | 15 | 30 | 60 | 120 | 240 | 1440;
      /** @description How many bars are looked at; indicators begin at the oldest one. Without it 200 */
      barCount?: number;
      /**
       * @description By the names that conditions use
       * @example {
       *       "fast": {
       *         "type": "ema",
       *         "period": 9
       *       },
       *       "slow": {
       *         "type": "ema",
       *         "period": 21
       *       }
       *     }
       */
      indicators?: {
        [key: string]: components["schemas"]["Indicator"];
      };
      conditions?: components["schemas"]["StrategyConditions"];
      /** @description Contracts of an entry. Without it 1 */
      qty?: number;
      /**
       * @description observe: decisions are logged, and nothing is sent. Without it observe
       * @enum {string}
       */
      mode?: "observe" | "trade";
      /** @description While it is false its schedule rests and it sends nothing. Without it true */
      enabled?: boolean;
      bracket?: components["schemas"]["BracketOrNone"];
      schedule?: components["schemas"]["ScheduleOrNone"];
    };
    Bar: {
      /**
       * @description Its beginning: an instant, or Unix time in milliseconds (13 digits)
       * @example 2026-09-21T14:25:00Z
       */
      time: string;
      /** @description In the contract's own prices */
      open: number;
      /** @description In the contract's own prices */
      high: number;
      /** @description In the contract's own prices */
      low: number;
      /** @description In the contract's own prices */
      close: number;
      /** @description Left out, it is 0 */
      volume?: number;
    };
    /** @description Instead of what the account holds; with dryRun only */
    SupposedPosition: {
      /** @description Positive long, negative short */
      netQty: number;
      /** @description Without it, conditions that ask for it have no value */
      averagePrice?: number;
    };
    EvaluateStrategy: {
      /** @description Finished bars, oldest first, of which the newest barCount are looked at. Without them the account's own broker is asked. How old they are is yours to know */
      bars?: components["schemas"]["Bar"][];
      position?: components["schemas"]["SupposedPosition"];
      /** @description Decide, and send nothing. Left out, it is false */
      dryRun?: boolean;
    };
    StrategyLogs: {
      logs: components["schemas"]["Evaluation"][];
      nextCursor: string | null;
    };
    ChartBar: {
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      time: string;
      /** @description In the contract's own prices */
      open: number;
      /** @description In the contract's own prices */
      high: number;
      /** @description In the contract's own prices */
      low: number;
      /** @description In the contract's own prices */
      close: number;
      volume: number;
    };
    StrategyChart: {
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      barMinutes: number;
      /** @description Oldest first; empty where the broker tells none */
      bars: components["schemas"]["ChartBar"][];
      /** @description A number for each bar, by the indicator's name, or name.part */
      indicators: {
        [key: string]: (number | null)[];
      };
      /** @description On these bars: those that were to change something, oldest first */
      decisions: components["schemas"]["Evaluation"][];
    };
    AddConnection: {
      /** @example tradovate */
      broker: string;
      /** @enum {string} */
      environment: "demo" | "live";
      /** @example Evaluation */
      name?: string;
      /** @description What the broker asks for, such as name and password. Secrets are sealed, and never shown again */
      settings: {
        [key: string]: string | number | boolean;
      };
    };
    ConnectionDetail: {
      /**
       * @description A connection's id, as listed by GET /v1/connections
       * @example paper
       */
      connectionId: string;
      /** @example paper */
      broker: string;
      /** @enum {string} */
      environment: "demo" | "live";
      name: string | null;
      paused: boolean;
      /**
       * @description AUTH_EXPIRED: the broker refused the credentials. FATAL_ERROR: it refuses every session. After either of them nothing logs in until you ask for it
       * @enum {string}
       */
      status:
        | "CONNECTING"
        | "CONNECTED"
        | "RECONNECTING"
        | "DISCONNECTED"
        | "AUTH_EXPIRED"
        | "FATAL_ERROR";
      /**
       * Format: date-time
       * @description When it became this status
       */
      since: string;
      reason: string | null;
      retryAt: string | null;
      settings: {
        [key: string]: string | number | boolean;
      } | null;
      secrets: {
        [key: string]: boolean;
      } | null;
    };
    Connection: {
      /**
       * @description A connection's id, as listed by GET /v1/connections
       * @example paper
       */
      connectionId: string;
      /** @example paper */
      broker: string;
      /** @enum {string} */
      environment: "demo" | "live";
      name: string | null;
      paused: boolean;
      /**
       * @description AUTH_EXPIRED: the broker refused the credentials. FATAL_ERROR: it refuses every session. After either of them nothing logs in until you ask for it
       * @enum {string}
       */
      status:
        | "CONNECTING"
        | "CONNECTED"
        | "RECONNECTING"
        | "DISCONNECTED"
        | "AUTH_EXPIRED"
        | "FATAL_ERROR";
      /**
       * Format: date-time
       * @description When it became this status
       */
      since: string;
      reason: string | null;
      retryAt: string | null;
    };
    Connections: {
      connections: components["schemas"]["Connection"][];
    };
    ChangeConnection: {
      /** @example Evaluation */
      name?: string;
      /** @description While it is true nothing logs in, and the connection's accounts are inactive: alerts for them are 403, exits too. Positions and orders stay at the broker */
      paused?: boolean;
      /** @description What is left out stays, secrets too; null clears. The session ends in order and another one begins with the new settings */
      settings?: {
        [key: string]: string | number | boolean | null;
      };
    };
    ConnectionTest: {
      /**
       * @description ok: it was logged in, read and logged out. connected: it is up already, so nothing was tried. busy: somebody is logging in with it now, so nothing was tried. refused: the broker's last word. failed: anything else
       * @enum {string}
       */
      result: "ok" | "connected" | "busy" | "refused" | "failed";
      reason: string | null;
      accounts: {
        accountId: string;
        name: string;
        active: boolean;
      }[];
    };
    Reconnect: {
      /**
       * @description A connection's id, as listed by GET /v1/connections
       * @example paper
       */
      connectionId: string;
      /** @example paper */
      broker: string;
      /** @enum {string} */
      environment: "demo" | "live";
      name: string | null;
      paused: boolean;
      /**
       * @description AUTH_EXPIRED: the broker refused the credentials. FATAL_ERROR: it refuses every session. After either of them nothing logs in until you ask for it
       * @enum {string}
       */
      status:
        | "CONNECTING"
        | "CONNECTED"
        | "RECONNECTING"
        | "DISCONNECTED"
        | "AUTH_EXPIRED"
        | "FATAL_ERROR";
      /**
       * Format: date-time
       * @description When it became this status
       */
      since: string;
      reason: string | null;
      retryAt: string | null;
      /** @description What comes of it, and when */
      next: string;
    };
    BrokerField: {
      /** @description As the settings of POST /v1/connections have it */
      name: string;
      /** @description For a form */
      label: string;
      /** @enum {string} */
      type: "text" | "number" | "boolean";
      required: boolean;
      /** @description Sealed where it is kept, and never shown again */
      secret: boolean;
      description?: string;
      /** @description What it is when it is left out */
      default?: string | number | boolean;
    };
    Broker: {
      /** @example tradovate */
      broker: string;
      /** @example Tradovate */
      label: string;
      environments: ("demo" | "live")[];
      fields: components["schemas"]["BrokerField"][];
    };
    Brokers: {
      brokers: components["schemas"]["Broker"][];
    };
    KillSwitchState: {
      /** @description Of every account of the user */
      active: boolean;
      /** @description How many accounts have their own one on */
      accounts: number;
    };
    /** @description Over all accounts */
    PositionCounts: {
      held: number;
      protected: number;
      /** @description Without a stop-loss, and none was asked for */
      noneAsked: number;
      /** @description Without exits that were asked for */
      missing: number;
      /** @description Whether a stop-loss rests cannot be seen */
      unknown: number;
    };
    Holding: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      accountName: string;
      /** @enum {string} */
      environment: "demo" | "live";
      /**
       * @description The contract with its one-digit year
       * @example ESZ6
       */
      symbol: string;
      /** @enum {string} */
      side: "long" | "short";
      qty: number;
      averagePrice: number | null;
      markPrice: number | null;
      unrealizedPnl: number | null;
      unrealizedTicks: number | null;
      realizedPnl: number | null;
      realizedTicks: number | null;
      currency: string | null;
      tickSize: number | null;
      protection: components["schemas"]["ProtectionState"];
      stopLosses: components["schemas"]["RestingExit"][] | null;
      takeProfits: components["schemas"]["RestingExit"][] | null;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      asOf: string;
      /** @description False while its connection is down: it may be old */
      live: boolean;
    };
    AccountName: {
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId: string;
      name: string;
    };
    Trouble: {
      /** @enum {string} */
      kind:
        | "store"
        | "unknown"
        | "unprotected"
        | "unseen"
        | "connection"
        | "outOfStep"
        | "notUnderstood"
        | "copying"
        | "strategy"
        | "waiting"
        | "killSwitch";
      /**
       * @description An account's id, as listed by GET /v1/accounts
       * @example paper-1
       */
      accountId?: string;
      /**
       * @description A connection's id, as listed by GET /v1/connections
       * @example paper
       */
      connectionId?: string;
      /**
       * @description critical: money is at risk now. warning: something is not traded, or cannot be seen. info: a person has switched it so
       * @enum {string}
       */
      severity: "critical" | "warning" | "info";
      since: string | null;
      /** @description What has happened, and what follows from it */
      message: string;
      /** @description What to do */
      advice: string;
      /** @description Where it is true of several accounts alike: which, 200 at most */
      accounts: components["schemas"]["AccountName"][];
    };
    AlertMinute: {
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      at: string;
      /** @description Alerts that were handed on to their account */
      accepted: number;
      /** @description Alerts of which nothing was handed on: refused ones, and repeats */
      refused: number;
    };
    Latency: {
      p50: number;
      p99: number;
      count: number;
    };
    /** @description latencyMs: from receipt to the broker's acknowledgement, of those among the newest 200 alerts of the hour that have one */
    AlertTraffic: {
      /** @description The last 60, oldest first; the last one is not over yet */
      minutes: components["schemas"]["AlertMinute"][];
      latencyMs: components["schemas"]["Latency"] | null;
    };
    Overview: {
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      asOf: string;
      /** @description Whether there is no trouble, and every position that is held was seen to have a stop-loss. A position without one is never safe, whoever chose that */
      safe: boolean;
      /** @description Paused ones are left out */
      connections: {
        total: number;
        connected: number;
      };
      killSwitch: components["schemas"]["KillSwitchState"];
      /** @description Requests of which it is not known what became of them at the broker */
      unknownOutcomes: number;
      /** @description Contracts whose exits were asked for and may be missing */
      unprotectedPositions: number;
      positions: components["schemas"]["PositionCounts"];
      /** @description What is held, over all accounts: what needs a person first, 200 at most */
      holdings: components["schemas"]["Holding"][];
      /** @description Requests that were accepted and that the broker has not answered yet */
      waiting: number;
      oldestWaitingSeconds: number | null;
      /** @description The most severe first */
      troubles: components["schemas"]["Trouble"][];
      alerts: components["schemas"]["AlertTraffic"];
    };
    Person: {
      id: string;
      name: string;
    };
    Session: {
      user: components["schemas"]["Person"];
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      signedInAt: string;
      /**
       * Format: date-time
       * @description The newest proof of who it is; what is delicate asks for one of the last 15 minutes
       */
      confirmedAt: string;
      /**
       * Format: date-time
       * @description However often it is used
       */
      endsAt: string;
      /**
       * Format: date-time
       * @description Unless it is used before
       */
      idleEndsAt: string;
      /** @description False where the console's address has no host name: browsers have no passkeys for it */
      passkeysPossible: boolean;
    };
    SignIn: {
      /** @example owner */
      name: string;
      password: string;
    };
    Confirm: {
      password: string;
    };
    AskForPasskey: {
      /** @description To confirm who is signed in, and not to sign in */
      confirm?: boolean;
    };
    Ceremony: {
      /** @example chal_5Q2mW7x1Tz0c */
      challengeId: string;
      /** @description For the browser as it is (W3C WebAuthn, the JSON form of its options) */
      options: {
        [key: string]: unknown;
      };
    };
    AnswerPasskey: {
      /** @example chal_5Q2mW7x1Tz0c */
      challengeId: string;
      /** @description What the browser answered, in its JSON form */
      response: {
        /** @description In base64url */
        id: string;
        /** @description In base64url */
        rawId: string;
        /** @enum {string} */
        type: "public-key";
        clientExtensionResults: {
          [key: string]: unknown;
        };
        authenticatorAttachment?: string | null;
        response: {
          /** @description In base64url */
          clientDataJSON: string;
          /** @description In base64url */
          authenticatorData: string;
          /** @description In base64url */
          signature: string;
          userHandle?: string | null;
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
    };
    CheckSetUp: {
      /** @description The secret at the end of a set-up link */
      token: string;
    };
    CheckedSetUp: {
      user: components["schemas"]["Person"];
      /** @description Whether nobody can sign in yet */
      isFirst: boolean;
    };
    SetUp: {
      /** @description The secret at the end of a set-up link */
      token: string;
      /**
       * @description 2 to 40 letters, digits or . _ - @; upper and lower case are one name
       * @example owner
       */
      name: string;
      /** @description 12 to 200 characters of any kind */
      password: string;
      /** @description Removes every passkey that was there */
      forgetPasskeys?: boolean;
    };
    ChangePassword: {
      /** @description 12 to 200 characters of any kind */
      newPassword: string;
    };
    Passkey: {
      id: string;
      name: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      lastUsedAt?: string;
    };
    Passkeys: {
      passkeys: components["schemas"]["Passkey"][];
    };
    AddPasskey: {
      /** @example chal_5Q2mW7x1Tz0c */
      challengeId: string;
      name: string;
      /** @description What the browser answered, in its JSON form */
      response: {
        /** @description In base64url */
        id: string;
        /** @description In base64url */
        rawId: string;
        /** @enum {string} */
        type: "public-key";
        clientExtensionResults: {
          [key: string]: unknown;
        };
        authenticatorAttachment?: string | null;
        response: {
          /** @description In base64url */
          clientDataJSON: string;
          /** @description In base64url */
          attestationObject: string;
          transports?: string[];
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
    };
    Key: {
      id: string;
      name: string;
      scopes: ("read" | "trade" | "manage")[];
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      revokedAt?: string;
    };
    Keys: {
      keys: components["schemas"]["Key"][];
    };
    CreateKey: {
      name: string;
      scopes: ("read" | "trade" | "manage")[];
    };
    CreatedKey: {
      id: string;
      name: string;
      scopes: ("read" | "trade" | "manage")[];
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description An instant in UTC
       */
      revokedAt?: string;
      /** @description For X-API-Key. A secret, shown this once */
      key: string;
    };
    Alive: {
      /** @enum {string} */
      status: "ok";
    };
    Ready: {
      ready: boolean;
      /** @description Each part by its name */
      checks: {
        [key: string]: boolean;
      };
      /** @description What a person must put right, in words */
      reasons?: string[];
    };
  };
  responses: {
    /** @description METHOD_NOT_ALLOWED: The path exists, but not for this method. Any path can answer it; Allow lists the methods */
    MethodNotAllowed: {
      headers: {
        "X-Request-Id": components["headers"]["X-Request-Id"];
        Allow?: string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /** @description Names the request, as the log does: the caller's own, or a new one */
    "X-Request-Id": string;
    /** @description How many requests (q) in how many seconds (w), as "default";q=120;w=60 */
    "RateLimit-Policy": string;
    /** @description How many are left (r), and in how many seconds all are (t), as "default";r=119;t=60 */
    RateLimit: string;
    /** @description How many requests the quota has */
    "X-RateLimit-Limit": number;
    /** @description How many of them are left */
    "X-RateLimit-Remaining": number;
    /** @description In how many seconds all of them are there again */
    "X-RateLimit-Reset": number;
    /** @description How many seconds to wait before the request is sent again */
    "Retry-After": number;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  postAlert: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The secret that POST /v1/webhooks answered with */
        token: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Alert"] | components["schemas"]["Alert"][];
      };
    };
    responses: {
      /** @description It is done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alertId": "01J8ZK3V7M",
           *       "outcome": "done",
           *       "action": "buy",
           *       "orderId": "4000001",
           *       "accountId": "paper-1",
           *       "symbol": "ESZ6",
           *       "status": "filled",
           *       "filledQty": 1,
           *       "averagePrice": 5000.25,
           *       "bracket": {
           *         "takeProfitOrderId": null,
           *         "stopLossOrderId": "4000003"
           *       },
           *       "intentId": "01J8ZK3V7M"
           *     }
           */
          "application/json":
            | (
                | components["schemas"]["AlertOrderDone"]
                | components["schemas"]["AlertFlattenDone"]
                | components["schemas"]["AlertAdjustDone"]
                | components["schemas"]["AlertProtectDone"]
                | components["schemas"]["AlertCancelDone"]
                | components["schemas"]["AlertTested"]
              )
            | components["schemas"]["AlertList"];
        };
      };
      /** @description It is accepted, and its outcome not known yet */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alertId": "01J8ZK3V7M",
           *       "intentId": "01J8ZK3V7M",
           *       "outcome": "pending"
           *     }
           */
          "application/json":
            | components["schemas"]["AlertAccepted"]
            | components["schemas"]["AlertList"];
        };
      };
      /** @description An array whose alerts are answered differently */
      207: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alerts": [
           *         {
           *           "httpStatus": 200,
           *           "alertId": "01J8ZK3V7M",
           *           "outcome": "done",
           *           "action": "buy",
           *           "orderId": "4000001",
           *           "accountId": "paper-1",
           *           "symbol": "ESZ6",
           *           "status": "filled",
           *           "filledQty": 1,
           *           "averagePrice": 5000.25,
           *           "bracket": {
           *             "takeProfitOrderId": null,
           *             "stopLossOrderId": "4000003"
           *           },
           *           "intentId": "01J8ZK3V7M"
           *         },
           *         {
           *           "httpStatus": 202,
           *           "alertId": "01J8ZK3V7N",
           *           "intentId": "01J8ZK3V7N",
           *           "outcome": "pending"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["AlertList"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNRESOLVED_PLACEHOLDER: A charting placeholder such as {{ticker}} was not filled in by the sender. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it. WEBHOOK_PAUSED: The webhook token is paused. SENDER_NOT_ALLOWED: The webhook takes no alerts from this address */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SYMBOL_MISMATCH: The account holds another symbol; nothing was closed or sent. NO_POSITION: There is no open position to act on. POSITION_HELD: The symbol is held on that side already; nothing was sent. OVERTAKEN_BY_EXIT: What it could open was closed, cancelled or set anew after it was accepted and before it was sent; nothing was sent, and a repeat sends nothing either. POSITION_MISMATCH: The symbol is not held as it was to be; nothing was sent */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SYMBOL_NOT_ALLOWED: The webhook may not open or grow a position in it. LIMIT_EXCEEDED: The account's limits refuse the order; nothing was sent. NOT_UNDERSTOOD: The account has something at the broker that cannot be understood: only exits are let through. CONTRACT_DISPUTED: The broker describes the contract otherwise than our table: only exits are let through. SIDE_NOT_ALLOWED: The webhook may not open or grow a position on that side; nothing was sent. KILL_SWITCH_ON: The kill switch is on: only exits are let through. ALERT_TOO_OLD: The alert came later than its own age limit allows. BROKER_ORDER_REJECTED: The broker refused the order, in its own words. PROTECTION_REPLACE_FAILED: The old levels are cancelled and the new ones refused: the position is unprotected */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. INTENT_EXPIRED: It waited too long to be sent, and was withdrawn unsent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description ACCEPTANCE_UNKNOWN: Redis did not answer; the alert may be accepted */
      504: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listTrades: {
    parameters: {
      query?: {
        limit?: number;
        /** @description nextCursor of the page before, with the same filters */
        cursor?: string;
        /** @description Only trades at this instant or later: ISO 8601 with its time zone, or Unix time in milliseconds */
        from?: string;
        /** @description Only trades before this instant: ISO 8601 with its time zone, or Unix time in milliseconds */
        to?: string;
        /** @description A full contract (ESZ6, ESZ26), expired or not, or, for every month of a root, the root or a continuous form (ES, ES1!, ES!, CME_MINI:ES1!) */
        symbol?: string;
      };
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "trades": [
           *         {
           *           "id": "9000001",
           *           "orderId": "4000001",
           *           "symbol": "ESZ6",
           *           "side": "buy",
           *           "qty": 1,
           *           "price": 5000.25,
           *           "realizedPnl": null,
           *           "currency": "USD",
           *           "fee": 2.25,
           *           "feeCurrency": "USD",
           *           "time": "2026-09-21T14:30:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null,
           *       "keptSince": null
           *     }
           */
          "application/json": components["schemas"]["Trades"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  placeOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Your name for this order, in quotes or bare. For 24 hours the same key on the same account, from whichever of your API keys, answers with the first call's answer and places nothing; with another body it is refused */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PlaceOrder"];
      };
    };
    responses: {
      /** @description The order as it stands */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          /** @description true when this is the answer of an earlier call */
          "Idempotency-Replayed"?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "orderId": "4000001",
           *       "accountId": "paper-1",
           *       "symbol": "ESZ6",
           *       "status": "filled",
           *       "filledQty": 1,
           *       "averagePrice": 5000.25,
           *       "bracket": {
           *         "takeProfitOrderId": "4000002",
           *         "stopLossOrderId": "4000003"
           *       },
           *       "intentId": "01J8ZK3V7M"
           *     }
           */
          "application/json": components["schemas"]["Order"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person. ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SYMBOL_MISMATCH: The account holds another symbol; nothing was closed or sent. OVERTAKEN_BY_EXIT: What it could open was closed, cancelled or set anew after it was accepted and before it was sent; nothing was sent, and a repeat sends nothing either */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key was used with another body. LIMIT_EXCEEDED: The account's limits refuse the order; nothing was sent. NOT_UNDERSTOOD: The account has something at the broker that cannot be understood: only exits are let through. CONTRACT_DISPUTED: The broker describes the contract otherwise than our table: only exits are let through. KILL_SWITCH_ON: The kill switch is on: only exits are let through */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened. OUTCOME_UNKNOWN: The broker's answer did not come or proves nothing */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_ORDER_REJECTED: The broker refused the order, in its own words */
      502: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. INTENT_EXPIRED: It waited too long to be sent, and was withdrawn unsent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  cancelOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
        /** @description The broker's id of an order */
        orderId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Cancelled */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "orderId": "4000002",
           *       "accountId": "paper-1",
           *       "status": "canceled",
           *       "replacedLeg": {
           *         "role": "stopLoss",
           *         "orderId": "4000004"
           *       },
           *       "intentId": "01J8ZK3V7M"
           *     }
           */
          "application/json": components["schemas"]["Cancellation"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person. ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CANCEL_REJECTED: The broker refused the cancellation */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened. OUTCOME_UNKNOWN: The broker's answer did not come or proves nothing */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. INTENT_EXPIRED: It waited too long to be sent, and was withdrawn unsent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  modifyOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
        /** @description The broker's id of an order */
        orderId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ModifyOrder"];
      };
    };
    responses: {
      /** @description The order as it stands */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "orderId": "4000008",
           *       "accountId": "paper-1",
           *       "symbol": "ESZ6",
           *       "status": "partiallyFilled",
           *       "qty": 3,
           *       "filledQty": 1,
           *       "remainingQty": 2,
           *       "limitPrice": 4998.5,
           *       "stopPrice": null,
           *       "trailOffset": null,
           *       "intentId": "01J8ZK3V7M"
           *     }
           */
          "application/json": components["schemas"]["ModifiedOrder"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person. ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description MODIFY_REJECTED: The broker refused the change, or works no such order. OVERTAKEN_BY_EXIT: What it could open was closed, cancelled or set anew after it was accepted and before it was sent; nothing was sent, and a repeat sends nothing either */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description LIMIT_EXCEEDED: The account's limits refuse the order; nothing was sent. NOT_UNDERSTOOD: The account has something at the broker that cannot be understood: only exits are let through. CONTRACT_DISPUTED: The broker describes the contract otherwise than our table: only exits are let through. KILL_SWITCH_ON: The kill switch is on: only exits are let through */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened. OUTCOME_UNKNOWN: The broker's answer did not come or proves nothing */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. INTENT_EXPIRED: It waited too long to be sent, and was withdrawn unsent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listWorkingOrders: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every order that may still fill */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "orders": [
           *         {
           *           "orderId": "4000003",
           *           "symbol": "ESZ6",
           *           "action": "sell",
           *           "type": "stop",
           *           "qty": 1,
           *           "filledQty": 0,
           *           "remainingQty": 1,
           *           "limitPrice": null,
           *           "stopPrice": 4995,
           *           "trailOffset": null,
           *           "timeInForce": "gtc",
           *           "status": "working",
           *           "role": "stopLoss",
           *           "parentOrderId": "4000001",
           *           "linkedOrderId": "4000002",
           *           "bracket": null,
           *           "source": "gateway",
           *           "intentId": "01J8ZK3V7M",
           *           "updatedAt": "2026-09-21T14:30:00.000Z",
           *           "problem": null
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["WorkingOrders"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person. ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listPositions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What is held */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "positions": [
           *         {
           *           "symbol": "ESZ6",
           *           "side": "long",
           *           "qty": 1,
           *           "averagePrice": 5000.25,
           *           "markPrice": 5003.5,
           *           "unrealizedPnl": 162.5,
           *           "unrealizedTicks": 13,
           *           "realizedPnl": 0,
           *           "realizedTicks": 0,
           *           "currency": "USD",
           *           "tickSize": 0.25,
           *           "protection": {
           *             "state": "protected",
           *             "missing": [],
           *             "openedBy": null,
           *             "reason": null
           *           },
           *           "stopLosses": [
           *             {
           *               "qty": 1,
           *               "price": 4995,
           *               "trailOffset": null
           *             }
           *           ],
           *           "takeProfits": [
           *             {
           *               "qty": 1,
           *               "price": 5010.25,
           *               "trailOffset": null
           *             }
           *           ]
           *         }
           *       ],
           *       "asOf": "2026-09-21T14:30:00.000Z",
           *       "live": true
           *     }
           */
          "application/json": components["schemas"]["Positions"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  flattenAccount: {
    parameters: {
      query?: {
        /** @description A contract (ESZ6, ESZ26) or, for the current front month, its root or continuous form (ES, ES1!, ES!, CME_MINI:ES1!) */
        symbol?: string;
      };
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What was closed and what remains */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "accountId": "paper-1",
           *       "closed": [
           *         {
           *           "symbol": "ESZ6",
           *           "qty": 1,
           *           "side": "long",
           *           "orderId": "4000007"
           *         }
           *       ],
           *       "canceledOrders": [
           *         "4000005",
           *         "4000006"
           *       ],
           *       "remaining": [],
           *       "remainingOrders": [],
           *       "problems": [],
           *       "intentId": "01J8ZK3V7M"
           *     }
           */
          "application/json": components["schemas"]["Flattened"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person. ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SYMBOL_MISMATCH: The account holds another symbol; nothing was closed or sent. NO_POSITION: There is no open position to act on */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened. OUTCOME_UNKNOWN: The broker's answer did not come or proves nothing */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_ORDER_REJECTED: The broker refused the order, in its own words */
      502: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. INTENT_EXPIRED: It waited too long to be sent, and was withdrawn unsent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  protectPosition: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Protect"];
      };
    };
    responses: {
      /** @description Protected */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "accountId": "paper-1",
           *       "symbol": "ESZ6",
           *       "qty": 1,
           *       "takeProfitOrderId": "4000005",
           *       "stopLossOrderId": "4000006",
           *       "intentId": "01J8ZK3V7M"
           *     }
           */
          "application/json": components["schemas"]["Protection"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person. ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SYMBOL_MISMATCH: The account holds another symbol; nothing was closed or sent. NO_POSITION: There is no open position to act on */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description LIMIT_EXCEEDED: The account's limits refuse the order; nothing was sent */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened. OUTCOME_UNKNOWN: The broker's answer did not come or proves nothing */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_ORDER_REJECTED: The broker refused the order, in its own words. PROTECTION_REPLACE_FAILED: The old levels are cancelled and the new ones refused: the position is unprotected */
      502: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. INTENT_EXPIRED: It waited too long to be sent, and was withdrawn unsent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listAccounts: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every account */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "accounts": [
           *         {
           *           "id": "paper-1",
           *           "name": "Practice",
           *           "connectionId": "paper",
           *           "broker": "paper",
           *           "environment": "demo",
           *           "currency": "USD",
           *           "active": true,
           *           "connectionStatus": "CONNECTED"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Accounts"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readUser: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "u_1",
           *       "name": "Owner",
           *       "createdAt": "2026-09-21T14:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readLimits: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The limits */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "maxOrderQty": 10,
           *       "maxPositionQty": 20,
           *       "maxOrdersPerMinute": 60
           *     }
           */
          "application/json": components["schemas"]["Limits"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  changeLimits: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["LimitsChange"];
      };
    };
    responses: {
      /** @description The limits */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "maxOrderQty": 10,
           *       "maxPositionQty": 20,
           *       "maxOrdersPerMinute": 60
           *     }
           */
          "application/json": components["schemas"]["Limits"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readKillSwitch: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The switches */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "active": false,
           *       "reason": null,
           *       "changedAt": null,
           *       "accounts": [
           *         {
           *           "accountId": "paper-1",
           *           "active": true,
           *           "reason": "done for today",
           *           "changedAt": "2026-09-21T14:30:00.000Z"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["KillSwitch"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  changeKillSwitch: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["KillSwitchChange"];
      };
    };
    responses: {
      /** @description The switches */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "active": false,
           *       "reason": null,
           *       "changedAt": null,
           *       "accounts": [
           *         {
           *           "accountId": "paper-1",
           *           "active": true,
           *           "reason": "done for today",
           *           "changedAt": "2026-09-21T14:30:00.000Z"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["KillSwitch"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readIntent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
        /** @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId} */
        intentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The intent */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "intentId": "01J8ZK3V7M",
           *       "accountId": "paper-1",
           *       "kind": "place",
           *       "source": "api",
           *       "state": "done",
           *       "code": null,
           *       "reason": null,
           *       "acceptedAt": "2026-09-21T14:30:00.000Z",
           *       "sentAt": "2026-09-21T14:30:00.000Z",
           *       "settledAt": "2026-09-21T14:30:00.000Z",
           *       "test": false,
           *       "aim": null,
           *       "order": {
           *         "symbol": "ESZ6",
           *         "action": "buy",
           *         "qty": 1,
           *         "type": "market",
           *         "limitPrice": null,
           *         "stopPrice": null,
           *         "trailOffset": null,
           *         "timeInForce": "day",
           *         "bracket": {
           *           "takeProfit": {
           *             "ticks": 40
           *           },
           *           "stopLoss": {
           *             "price": 4995
           *           }
           *         }
           *       },
           *       "orderId": null,
           *       "result": {
           *         "orderId": "4000001",
           *         "accountId": "paper-1",
           *         "symbol": "ESZ6",
           *         "status": "filled",
           *         "filledQty": 1,
           *         "averagePrice": 5000.25,
           *         "bracket": {
           *           "takeProfitOrderId": "4000002",
           *           "stopLossOrderId": "4000003"
           *         },
           *         "intentId": "01J8ZK3V7M"
           *       }
           *     }
           */
          "application/json": components["schemas"]["Intent"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listUnsettledIntents: {
    parameters: {
      query?: {
        /** @description unsettled: queued, being sent, or with an unknown outcome */
        state?: "unsettled";
      };
      header?: never;
      path: {
        /** @description An account's id, as listed by GET /v1/accounts */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Everything unsettled */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "intents": []
           *     }
           */
          "application/json": components["schemas"]["Intents"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listAlerts: {
    parameters: {
      query?: {
        limit?: number;
        /** @description nextCursor of the page before, with the same filters */
        cursor?: string;
        /** @description An account's id, as listed by GET /v1/accounts */
        accountId?: string;
        webhookId?: string;
        outcome?:
          | "done"
          | "denied"
          | "rejected"
          | "unprotected"
          | "notSent"
          | "expired"
          | "overtaken"
          | "withdrawn"
          | "unknown"
          | "lost"
          | "pending"
          | "refused"
          | "duplicate"
          | "test";
        /** @description Only alerts received then or later: 2026-09-21T14:30:00Z, or Unix time in milliseconds */
        from?: string;
        /** @description Only alerts received before: 2026-09-21T14:30:00Z, or Unix time in milliseconds */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of alerts */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alerts": [
           *         {
           *           "alertId": "01J8ZK3V7M",
           *           "webhookId": "wh_5Q2m",
           *           "accountId": "paper-1",
           *           "outcome": "done",
           *           "code": null,
           *           "reason": "The order in ESZ6 is filled: 1 at 5000.25",
           *           "read": "buy 1 ES1!, stop-loss 20 ticks away",
           *           "symbol": "ESZ6",
           *           "place": null,
           *           "test": false,
           *           "duplicateOf": null,
           *           "replayOf": null,
           *           "senderAlertId": "breakout-2026-09-21T14:29:59Z",
           *           "unreadFields": [],
           *           "orderIds": [
           *             "4000001",
           *             "4000003"
           *           ],
           *           "times": {
           *             "received": "2026-09-21T14:30:00.000Z",
           *             "enqueued": "2026-09-21T14:30:00.000Z",
           *             "sent": "2026-09-21T14:30:00.000Z",
           *             "acknowledged": "2026-09-21T14:30:00.000Z",
           *             "settled": "2026-09-21T14:30:00.000Z"
           *           }
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          "application/json": components["schemas"]["LoggedAlerts"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readAlert: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId} */
        alertId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The alert */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alertId": "01J8ZK3V7M",
           *       "webhookId": "wh_5Q2m",
           *       "accountId": "paper-1",
           *       "outcome": "done",
           *       "code": null,
           *       "reason": "The order in ESZ6 is filled: 1 at 5000.25",
           *       "read": "buy 1 ES1!, stop-loss 20 ticks away",
           *       "symbol": "ESZ6",
           *       "place": null,
           *       "test": false,
           *       "duplicateOf": null,
           *       "replayOf": null,
           *       "senderAlertId": "breakout-2026-09-21T14:29:59Z",
           *       "unreadFields": [],
           *       "orderIds": [
           *         "4000001",
           *         "4000003"
           *       ],
           *       "times": {
           *         "received": "2026-09-21T14:30:00.000Z",
           *         "enqueued": "2026-09-21T14:30:00.000Z",
           *         "sent": "2026-09-21T14:30:00.000Z",
           *         "acknowledged": "2026-09-21T14:30:00.000Z",
           *         "settled": "2026-09-21T14:30:00.000Z"
           *       },
           *       "requestId": "7d0f6a52-6f0c-4bde-8f6e-0d9f6f0a2a11",
           *       "sender": "52.89.214.238",
           *       "profile": "native",
           *       "body": "{\"action\":\"buy\",\"symbol\":\"ES1!\",\"qty\":1,\"stopLoss\":{\"ticks\":20}}",
           *       "bodyBytes": 64,
           *       "decisions": [
           *         "ES1! is ESZ6"
           *       ],
           *       "details": [],
           *       "intent": {
           *         "intentId": "01J8ZK3V7M",
           *         "accountId": "paper-1",
           *         "kind": "place",
           *         "source": "api",
           *         "state": "done",
           *         "code": null,
           *         "reason": null,
           *         "acceptedAt": "2026-09-21T14:30:00.000Z",
           *         "sentAt": "2026-09-21T14:30:00.000Z",
           *         "settledAt": "2026-09-21T14:30:00.000Z",
           *         "test": false,
           *         "aim": null,
           *         "order": {
           *           "symbol": "ESZ6",
           *           "action": "buy",
           *           "qty": 1,
           *           "type": "market",
           *           "limitPrice": null,
           *           "stopPrice": null,
           *           "trailOffset": null,
           *           "timeInForce": "day",
           *           "bracket": {
           *             "takeProfit": {
           *               "ticks": 40
           *             },
           *             "stopLoss": {
           *               "price": 4995
           *             }
           *           }
           *         },
           *         "orderId": null,
           *         "result": {
           *           "orderId": "4000001",
           *           "accountId": "paper-1",
           *           "symbol": "ESZ6",
           *           "status": "filled",
           *           "filledQty": 1,
           *           "averagePrice": 5000.25,
           *           "bracket": {
           *             "takeProfitOrderId": "4000002",
           *             "stopLossOrderId": "4000003"
           *           },
           *           "intentId": "01J8ZK3V7M"
           *         }
           *       }
           *     }
           */
          "application/json": components["schemas"]["LoggedAlert"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  replayAlert: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description What the call wanted, for GET /v1/accounts/{id}/intents/{intentId} */
        alertId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alertId": "01J8ZK3V7M",
           *       "outcome": "done",
           *       "action": "buy",
           *       "orderId": "4000001",
           *       "accountId": "paper-1",
           *       "symbol": "ESZ6",
           *       "status": "filled",
           *       "filledQty": 1,
           *       "averagePrice": 5000.25,
           *       "bracket": {
           *         "takeProfitOrderId": null,
           *         "stopLossOrderId": "4000003"
           *       },
           *       "intentId": "01J8ZK3V7M"
           *     }
           */
          "application/json":
            | (
                | components["schemas"]["AlertOrderDone"]
                | components["schemas"]["AlertFlattenDone"]
                | components["schemas"]["AlertAdjustDone"]
                | components["schemas"]["AlertProtectDone"]
                | components["schemas"]["AlertCancelDone"]
                | components["schemas"]["AlertTested"]
              )
            | components["schemas"]["AlertList"];
        };
      };
      /** @description It is accepted, and its outcome not known yet */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alertId": "01J8ZK3V7M",
           *       "intentId": "01J8ZK3V7M",
           *       "outcome": "pending"
           *     }
           */
          "application/json":
            | components["schemas"]["AlertAccepted"]
            | components["schemas"]["AlertList"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNRESOLVED_PLACEHOLDER: A charting placeholder such as {{ticker}} was not filled in by the sender. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person. ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it. WEBHOOK_PAUSED: The webhook token is paused. SENDER_NOT_ALLOWED: The webhook takes no alerts from this address */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SYMBOL_MISMATCH: The account holds another symbol; nothing was closed or sent. NO_POSITION: There is no open position to act on. POSITION_HELD: The symbol is held on that side already; nothing was sent. OVERTAKEN_BY_EXIT: What it could open was closed, cancelled or set anew after it was accepted and before it was sent; nothing was sent, and a repeat sends nothing either. POSITION_MISMATCH: The symbol is not held as it was to be; nothing was sent. NOT_REPLAYABLE: Only an alert of which nothing was sent can be replayed */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SYMBOL_NOT_ALLOWED: The webhook may not open or grow a position in it. LIMIT_EXCEEDED: The account's limits refuse the order; nothing was sent. NOT_UNDERSTOOD: The account has something at the broker that cannot be understood: only exits are let through. CONTRACT_DISPUTED: The broker describes the contract otherwise than our table: only exits are let through. SIDE_NOT_ALLOWED: The webhook may not open or grow a position on that side; nothing was sent. KILL_SWITCH_ON: The kill switch is on: only exits are let through. ALERT_TOO_OLD: The alert came later than its own age limit allows */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_ORDER_REJECTED: The broker refused the order, in its own words. PROTECTION_REPLACE_FAILED: The old levels are cancelled and the new ones refused: the position is unprotected */
      502: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. INTENT_EXPIRED: It waited too long to be sent, and was withdrawn unsent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  testAlert: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public id of a webhook; not its secret */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Alert"] | components["schemas"]["Alert"][];
      };
    };
    responses: {
      /** @description What would be sent */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alertId": "01J8ZK3V7M",
           *       "outcome": "test",
           *       "accountId": "paper-1",
           *       "wouldDo": [
           *         {
           *           "step": "order",
           *           "order": {
           *             "symbol": "ESZ6",
           *             "action": "buy",
           *             "qty": 1,
           *             "type": "market",
           *             "limitPrice": null,
           *             "stopPrice": null,
           *             "trailOffset": null,
           *             "timeInForce": "day",
           *             "bracket": {
           *               "takeProfit": {
           *                 "ticks": 40
           *               },
           *               "stopLoss": {
           *                 "price": 4995
           *               }
           *             }
           *           },
           *           "adds": true
           *         }
           *       ],
           *       "intentId": "01J8ZK3V7M"
           *     }
           */
          "application/json":
            | (
                | components["schemas"]["AlertOrderDone"]
                | components["schemas"]["AlertFlattenDone"]
                | components["schemas"]["AlertAdjustDone"]
                | components["schemas"]["AlertProtectDone"]
                | components["schemas"]["AlertCancelDone"]
                | components["schemas"]["AlertTested"]
              )
            | components["schemas"]["AlertList"];
        };
      };
      /** @description It is accepted, and its outcome not known yet */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alertId": "01J8ZK3V7M",
           *       "intentId": "01J8ZK3V7M",
           *       "outcome": "pending"
           *     }
           */
          "application/json":
            | components["schemas"]["AlertAccepted"]
            | components["schemas"]["AlertList"];
        };
      };
      /** @description An array whose alerts are answered differently */
      207: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "alerts": [
           *         {
           *           "httpStatus": 200,
           *           "alertId": "01J8ZK3V7M",
           *           "outcome": "done",
           *           "action": "buy",
           *           "orderId": "4000001",
           *           "accountId": "paper-1",
           *           "symbol": "ESZ6",
           *           "status": "filled",
           *           "filledQty": 1,
           *           "averagePrice": 5000.25,
           *           "bracket": {
           *             "takeProfitOrderId": null,
           *             "stopLossOrderId": "4000003"
           *           },
           *           "intentId": "01J8ZK3V7M"
           *         },
           *         {
           *           "httpStatus": 202,
           *           "alertId": "01J8ZK3V7N",
           *           "intentId": "01J8ZK3V7N",
           *           "outcome": "pending"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["AlertList"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNRESOLVED_PLACEHOLDER: A charting placeholder such as {{ticker}} was not filled in by the sender. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person. ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it. WEBHOOK_PAUSED: The webhook token is paused. SENDER_NOT_ALLOWED: The webhook takes no alerts from this address */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SYMBOL_MISMATCH: The account holds another symbol; nothing was closed or sent. NO_POSITION: There is no open position to act on. POSITION_HELD: The symbol is held on that side already; nothing was sent. OVERTAKEN_BY_EXIT: What it could open was closed, cancelled or set anew after it was accepted and before it was sent; nothing was sent, and a repeat sends nothing either. POSITION_MISMATCH: The symbol is not held as it was to be; nothing was sent */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SYMBOL_NOT_ALLOWED: The webhook may not open or grow a position in it. LIMIT_EXCEEDED: The account's limits refuse the order; nothing was sent. NOT_UNDERSTOOD: The account has something at the broker that cannot be understood: only exits are let through. CONTRACT_DISPUTED: The broker describes the contract otherwise than our table: only exits are let through. SIDE_NOT_ALLOWED: The webhook may not open or grow a position on that side; nothing was sent. KILL_SWITCH_ON: The kill switch is on: only exits are let through. ALERT_TOO_OLD: The alert came later than its own age limit allows */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_ORDER_REJECTED: The broker refused the order, in its own words. PROTECTION_REPLACE_FAILED: The old levels are cancelled and the new ones refused: the position is unprotected */
      502: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. INTENT_EXPIRED: It waited too long to be sent, and was withdrawn unsent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every webhook, without its URL */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "webhooks": [
           *         {
           *           "id": "wh_5Q2m",
           *           "accountId": "paper-1",
           *           "name": "Breakout on ES",
           *           "paused": false,
           *           "profile": null,
           *           "sideSwap": null,
           *           "allowedExtraFields": null,
           *           "defaultQty": null,
           *           "multiplier": "0.5",
           *           "symbolMap": {
           *             "ES": "MES"
           *           },
           *           "allowedSymbols": [
           *             "MES"
           *           ],
           *           "allowedSide": null,
           *           "allowedSenders": [
           *             "tradingview"
           *           ],
           *           "entryMaxAgeSeconds": null,
           *           "exitMaxAgeSeconds": null,
           *           "duplicateWindowSeconds": null,
           *           "rateLimitPerMinute": null,
           *           "createdAt": "2026-09-21T14:30:00.000Z",
           *           "lastUsedAt": null
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Webhooks"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWebhook"];
      };
    };
    responses: {
      /** @description The webhook with its URL */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "wh_5Q2m",
           *       "accountId": "paper-1",
           *       "name": "Breakout on ES",
           *       "paused": false,
           *       "profile": null,
           *       "sideSwap": null,
           *       "allowedExtraFields": null,
           *       "defaultQty": null,
           *       "multiplier": "0.5",
           *       "symbolMap": {
           *         "ES": "MES"
           *       },
           *       "allowedSymbols": [
           *         "MES"
           *       ],
           *       "allowedSide": null,
           *       "allowedSenders": [
           *         "tradingview"
           *       ],
           *       "entryMaxAgeSeconds": null,
           *       "exitMaxAgeSeconds": null,
           *       "duplicateWindowSeconds": null,
           *       "rateLimitPerMinute": null,
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "lastUsedAt": null,
           *       "url": "https://gateway.example/hooks/<token>",
           *       "message": "{\"action\":\"{{strategy.order.action}}\",\"symbol\":\"{{ticker}}\",\"qty\":\"{{strategy.order.contracts}}\",\"alertId\":\"{{strategy.order.id}} {{timenow}}\"}",
           *       "warning": null
           *     }
           */
          "application/json": components["schemas"]["CreatedWebhook"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. SIGN_IN_AGAIN: The person must confirm who they are: their proof is too old. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public id of a webhook; not its secret */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhook */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "wh_5Q2m",
           *       "accountId": "paper-1",
           *       "name": "Breakout on ES",
           *       "paused": false,
           *       "profile": null,
           *       "sideSwap": null,
           *       "allowedExtraFields": null,
           *       "defaultQty": null,
           *       "multiplier": "0.5",
           *       "symbolMap": {
           *         "ES": "MES"
           *       },
           *       "allowedSymbols": [
           *         "MES"
           *       ],
           *       "allowedSide": null,
           *       "allowedSenders": [
           *         "tradingview"
           *       ],
           *       "entryMaxAgeSeconds": null,
           *       "exitMaxAgeSeconds": null,
           *       "duplicateWindowSeconds": null,
           *       "rateLimitPerMinute": null,
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "lastUsedAt": null
           *     }
           */
          "application/json": components["schemas"]["Webhook"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public id of a webhook; not its secret */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  changeWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public id of a webhook; not its secret */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeWebhook"];
      };
    };
    responses: {
      /** @description The webhook */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "wh_5Q2m",
           *       "accountId": "paper-1",
           *       "name": "Breakout on ES",
           *       "paused": false,
           *       "profile": null,
           *       "sideSwap": null,
           *       "allowedExtraFields": null,
           *       "defaultQty": null,
           *       "multiplier": "0.5",
           *       "symbolMap": {
           *         "ES": "MES"
           *       },
           *       "allowedSymbols": [
           *         "MES"
           *       ],
           *       "allowedSide": null,
           *       "allowedSenders": [
           *         "tradingview"
           *       ],
           *       "entryMaxAgeSeconds": null,
           *       "exitMaxAgeSeconds": null,
           *       "duplicateWindowSeconds": null,
           *       "rateLimitPerMinute": null,
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "lastUsedAt": null
           *     }
           */
          "application/json": components["schemas"]["Webhook"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listCopyGroups: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every group */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "copyGroups": [
           *         {
           *           "id": "cg_4f8a2c90d1e7",
           *           "name": "Evaluations",
           *           "mode": "fills",
           *           "driftPolicy": "alarm",
           *           "driftAfterSeconds": 10,
           *           "maxAgeSeconds": 30,
           *           "stopAfterRejects": 3,
           *           "paused": false,
           *           "leaderAccountId": "paper-1",
           *           "createdAt": "2026-09-21T14:30:00.000Z",
           *           "leader": {
           *             "connectionStatus": "CONNECTED"
           *           },
           *           "followers": [
           *             {
           *               "accountId": "paper-3",
           *               "multiplier": "1",
           *               "rounding": "down",
           *               "fixedQty": null,
           *               "invert": false,
           *               "symbolMap": {
           *                 "ES": "MES"
           *               },
           *               "allowedSymbols": [
           *                 "MES"
           *               ],
           *               "maxQty": 5,
           *               "enabled": true,
           *               "state": "drifting",
           *               "reason": "MESZ6: it holds 1 and is to hold 2",
           *               "stoppedAt": null,
           *               "positions": [
           *                 {
           *                   "symbol": "MESZ6",
           *                   "leaderQty": 2,
           *                   "targetQty": 2,
           *                   "heldQty": 1,
           *                   "driftQty": -1
           *                 }
           *               ]
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["CopyGroups"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  createCopyGroup: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateCopyGroup"];
      };
    };
    responses: {
      /** @description The group */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cg_4f8a2c90d1e7",
           *       "name": "Evaluations",
           *       "mode": "fills",
           *       "driftPolicy": "alarm",
           *       "driftAfterSeconds": 10,
           *       "maxAgeSeconds": 30,
           *       "stopAfterRejects": 3,
           *       "paused": false,
           *       "leaderAccountId": "paper-1",
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "leader": {
           *         "connectionStatus": "CONNECTED"
           *       },
           *       "followers": [
           *         {
           *           "accountId": "paper-3",
           *           "multiplier": "1",
           *           "rounding": "down",
           *           "fixedQty": null,
           *           "invert": false,
           *           "symbolMap": {
           *             "ES": "MES"
           *           },
           *           "allowedSymbols": [
           *             "MES"
           *           ],
           *           "maxQty": 5,
           *           "enabled": true,
           *           "state": "drifting",
           *           "reason": "MESZ6: it holds 1 and is to hold 2",
           *           "stoppedAt": null,
           *           "positions": [
           *             {
           *               "symbol": "MESZ6",
           *               "leaderQty": 2,
           *               "targetQty": 2,
           *               "heldQty": 1,
           *               "driftQty": -1
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["CopyGroup"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed. COPY_LOOP: An account cannot both lead and follow, nor follow two leaders */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description TOO_MANY_COPY_GROUPS: There are as many copy groups as there may be */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readCopyGroup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A copy group's id, as listed by GET /v1/copy-groups */
        groupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The group */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cg_4f8a2c90d1e7",
           *       "name": "Evaluations",
           *       "mode": "fills",
           *       "driftPolicy": "alarm",
           *       "driftAfterSeconds": 10,
           *       "maxAgeSeconds": 30,
           *       "stopAfterRejects": 3,
           *       "paused": false,
           *       "leaderAccountId": "paper-1",
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "leader": {
           *         "connectionStatus": "CONNECTED"
           *       },
           *       "followers": [
           *         {
           *           "accountId": "paper-3",
           *           "multiplier": "1",
           *           "rounding": "down",
           *           "fixedQty": null,
           *           "invert": false,
           *           "symbolMap": {
           *             "ES": "MES"
           *           },
           *           "allowedSymbols": [
           *             "MES"
           *           ],
           *           "maxQty": 5,
           *           "enabled": true,
           *           "state": "drifting",
           *           "reason": "MESZ6: it holds 1 and is to hold 2",
           *           "stoppedAt": null,
           *           "positions": [
           *             {
           *               "symbol": "MESZ6",
           *               "leaderQty": 2,
           *               "targetQty": 2,
           *               "heldQty": 1,
           *               "driftQty": -1
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["CopyGroup"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  deleteCopyGroup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A copy group's id, as listed by GET /v1/copy-groups */
        groupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  changeCopyGroup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A copy group's id, as listed by GET /v1/copy-groups */
        groupId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeCopyGroup"];
      };
    };
    responses: {
      /** @description The group */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cg_4f8a2c90d1e7",
           *       "name": "Evaluations",
           *       "mode": "fills",
           *       "driftPolicy": "alarm",
           *       "driftAfterSeconds": 10,
           *       "maxAgeSeconds": 30,
           *       "stopAfterRejects": 3,
           *       "paused": false,
           *       "leaderAccountId": "paper-1",
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "leader": {
           *         "connectionStatus": "CONNECTED"
           *       },
           *       "followers": [
           *         {
           *           "accountId": "paper-3",
           *           "multiplier": "1",
           *           "rounding": "down",
           *           "fixedQty": null,
           *           "invert": false,
           *           "symbolMap": {
           *             "ES": "MES"
           *           },
           *           "allowedSymbols": [
           *             "MES"
           *           ],
           *           "maxQty": 5,
           *           "enabled": true,
           *           "state": "drifting",
           *           "reason": "MESZ6: it holds 1 and is to hold 2",
           *           "stoppedAt": null,
           *           "positions": [
           *             {
           *               "symbol": "MESZ6",
           *               "leaderQty": 2,
           *               "targetQty": 2,
           *               "heldQty": 1,
           *               "driftQty": -1
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["CopyGroup"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  putFollower: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A copy group's id, as listed by GET /v1/copy-groups */
        groupId: string;
        /** @description An account's id, as listed by GET /v1/accounts */
        accountId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PutFollower"];
      };
    };
    responses: {
      /** @description The group with it */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cg_4f8a2c90d1e7",
           *       "name": "Evaluations",
           *       "mode": "fills",
           *       "driftPolicy": "alarm",
           *       "driftAfterSeconds": 10,
           *       "maxAgeSeconds": 30,
           *       "stopAfterRejects": 3,
           *       "paused": false,
           *       "leaderAccountId": "paper-1",
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "leader": {
           *         "connectionStatus": "CONNECTED"
           *       },
           *       "followers": [
           *         {
           *           "accountId": "paper-3",
           *           "multiplier": "1",
           *           "rounding": "down",
           *           "fixedQty": null,
           *           "invert": false,
           *           "symbolMap": {
           *             "ES": "MES"
           *           },
           *           "allowedSymbols": [
           *             "MES"
           *           ],
           *           "maxQty": 5,
           *           "enabled": true,
           *           "state": "drifting",
           *           "reason": "MESZ6: it holds 1 and is to hold 2",
           *           "stoppedAt": null,
           *           "positions": [
           *             {
           *               "symbol": "MESZ6",
           *               "leaderQty": 2,
           *               "targetQty": 2,
           *               "heldQty": 1,
           *               "driftQty": -1
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["CopyGroup"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed. COPY_LOOP: An account cannot both lead and follow, nor follow two leaders */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  removeFollower: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A copy group's id, as listed by GET /v1/copy-groups */
        groupId: string;
        /** @description An account's id, as listed by GET /v1/accounts */
        accountId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The group with it */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cg_4f8a2c90d1e7",
           *       "name": "Evaluations",
           *       "mode": "fills",
           *       "driftPolicy": "alarm",
           *       "driftAfterSeconds": 10,
           *       "maxAgeSeconds": 30,
           *       "stopAfterRejects": 3,
           *       "paused": false,
           *       "leaderAccountId": "paper-1",
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "leader": {
           *         "connectionStatus": "CONNECTED"
           *       },
           *       "followers": [
           *         {
           *           "accountId": "paper-3",
           *           "multiplier": "1",
           *           "rounding": "down",
           *           "fixedQty": null,
           *           "invert": false,
           *           "symbolMap": {
           *             "ES": "MES"
           *           },
           *           "allowedSymbols": [
           *             "MES"
           *           ],
           *           "maxQty": 5,
           *           "enabled": true,
           *           "state": "drifting",
           *           "reason": "MESZ6: it holds 1 and is to hold 2",
           *           "stoppedAt": null,
           *           "positions": [
           *             {
           *               "symbol": "MESZ6",
           *               "leaderQty": 2,
           *               "targetQty": 2,
           *               "heldQty": 1,
           *               "driftQty": -1
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["CopyGroup"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  changeFollower: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A copy group's id, as listed by GET /v1/copy-groups */
        groupId: string;
        /** @description An account's id, as listed by GET /v1/accounts */
        accountId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeFollower"];
      };
    };
    responses: {
      /** @description The group with it */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "cg_4f8a2c90d1e7",
           *       "name": "Evaluations",
           *       "mode": "fills",
           *       "driftPolicy": "alarm",
           *       "driftAfterSeconds": 10,
           *       "maxAgeSeconds": 30,
           *       "stopAfterRejects": 3,
           *       "paused": false,
           *       "leaderAccountId": "paper-1",
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "leader": {
           *         "connectionStatus": "CONNECTED"
           *       },
           *       "followers": [
           *         {
           *           "accountId": "paper-3",
           *           "multiplier": "1",
           *           "rounding": "down",
           *           "fixedQty": null,
           *           "invert": false,
           *           "symbolMap": {
           *             "ES": "MES"
           *           },
           *           "allowedSymbols": [
           *             "MES"
           *           ],
           *           "maxQty": 5,
           *           "enabled": true,
           *           "state": "drifting",
           *           "reason": "MESZ6: it holds 1 and is to hold 2",
           *           "stoppedAt": null,
           *           "positions": [
           *             {
           *               "symbol": "MESZ6",
           *               "leaderQty": 2,
           *               "targetQty": 2,
           *               "heldQty": 1,
           *               "driftQty": -1
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["CopyGroup"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  syncCopyGroup: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A copy group's id, as listed by GET /v1/copy-groups */
        groupId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SyncCopyGroup"];
      };
    };
    responses: {
      /** @description What is on its way; GET …/copies tells what became of it */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "copies": [
           *         {
           *           "copyId": "i3f9a0c4d17be52a6c0d91e8b7f24",
           *           "accountId": "paper-3",
           *           "symbol": "MESZ6",
           *           "targetQty": 2
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["SyncCopies"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description COPY_PAUSED: The copy group is paused or the follower is off: nothing is copied */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listCopies: {
    parameters: {
      query?: {
        limit?: number;
        /** @description nextCursor of the page before, with the same filters */
        cursor?: string;
        /** @description An account's id, as listed by GET /v1/accounts */
        accountId?: string;
        outcome?:
          | "done"
          | "denied"
          | "rejected"
          | "unprotected"
          | "notSent"
          | "expired"
          | "overtaken"
          | "withdrawn"
          | "unknown"
          | "lost"
          | "pending"
          | "skipped";
      };
      header?: never;
      path: {
        /** @description A copy group's id, as listed by GET /v1/copy-groups */
        groupId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of copies */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "copies": [
           *         {
           *           "id": "i3f9a0c4d17be52a6c0d91e8b7f24",
           *           "groupId": "cg_4f8a2c90d1e7",
           *           "accountId": "paper-3",
           *           "leaderAccountId": "paper-1",
           *           "cause": "fill",
           *           "outcome": "done",
           *           "reason": "The order in MESZ6 is filled: 2 at 5000.5",
           *           "symbol": "MESZ6",
           *           "targetQty": 2,
           *           "leader": {
           *             "symbol": "ESZ6",
           *             "action": "buy",
           *             "qty": 2,
           *             "averagePrice": 5000.25,
           *             "at": "2026-09-21T14:30:00.000Z",
           *             "orderId": "4000001"
           *           },
           *           "filledQty": 2,
           *           "averagePrice": 5000.5,
           *           "slippageTicks": 1,
           *           "sentMs": 9,
           *           "settledMs": 31,
           *           "notedAt": "2026-09-21T14:30:00.000Z",
           *           "decisions": [],
           *           "intentId": "i3f9a0c4d17be52a6c0d91e8b7f24"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          "application/json": components["schemas"]["Copies"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listStrategies: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every strategy, oldest first */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "strategies": [
           *         {
           *           "id": "st_9b1c07d24e6f",
           *           "name": "EMA cross",
           *           "accountId": "paper-1",
           *           "symbol": "MNQ1!",
           *           "barMinutes": 5,
           *           "barCount": 200,
           *           "indicators": {
           *             "fast": {
           *               "type": "ema",
           *               "period": 9
           *             },
           *             "slow": {
           *               "type": "ema",
           *               "period": 21
           *             }
           *           },
           *           "conditions": {
           *             "enterLong": "crossesAbove(fast, slow) && time.hour >= 9",
           *             "exitLong": "crossesBelow(fast, slow)"
           *           },
           *           "qty": 1,
           *           "mode": "trade",
           *           "enabled": true,
           *           "bracket": {
           *             "takeProfit": {
           *               "ticks": 80
           *             },
           *             "stopLoss": {
           *               "offset": 10
           *             }
           *           },
           *           "schedule": {
           *             "cron": "*\/5 9-15 * * MON-FRI",
           *             "timeZone": "America/New_York"
           *           },
           *           "state": "scheduled",
           *           "reason": null,
           *           "nextEvaluationAt": "2026-09-21T14:35:00.000Z",
           *           "lastEvaluation": {
           *             "id": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *             "accountId": "paper-1",
           *             "trigger": "schedule",
           *             "dryRun": false,
           *             "decision": "enterLong",
           *             "reason": "enterLong is true, it is flat",
           *             "outcome": "done",
           *             "outcomeReason": "The order in MNQZ6 is filled: 1 at 25210.75",
           *             "intentId": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *             "symbol": "MNQZ6",
           *             "slotAt": "2026-09-21T14:30:00.000Z",
           *             "startedAt": "2026-09-21T14:30:00.000Z",
           *             "endedAt": "2026-09-21T14:30:00.031Z",
           *             "barsEndAt": "2026-09-21T14:30:00.000Z",
           *             "barCount": 200,
           *             "inputsHash": "9f2c4a17d0be5836a1c9e0d47b2f6a18c35d7e90f4b1a2c86d3e5f7091b4c2d8",
           *             "heldQty": 0,
           *             "targetQty": 1,
           *             "values": {
           *               "fast": 25207.1,
           *               "slow": 25206.4
           *             },
           *             "conditions": {
           *               "enterLong": true,
           *               "exitLong": false
           *             },
           *             "computeMs": 4,
           *             "durationMs": 31,
           *             "missed": null
           *           },
           *           "version": 1,
           *           "createdAt": "2026-09-21T14:30:00.000Z",
           *           "changedAt": "2026-09-21T14:30:00.000Z"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Strategies"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  createStrategy: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateStrategy"];
      };
    };
    responses: {
      /** @description The strategy */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "st_9b1c07d24e6f",
           *       "name": "EMA cross",
           *       "accountId": "paper-1",
           *       "symbol": "MNQ1!",
           *       "barMinutes": 5,
           *       "barCount": 200,
           *       "indicators": {
           *         "fast": {
           *           "type": "ema",
           *           "period": 9
           *         },
           *         "slow": {
           *           "type": "ema",
           *           "period": 21
           *         }
           *       },
           *       "conditions": {
           *         "enterLong": "crossesAbove(fast, slow) && time.hour >= 9",
           *         "exitLong": "crossesBelow(fast, slow)"
           *       },
           *       "qty": 1,
           *       "mode": "trade",
           *       "enabled": true,
           *       "bracket": {
           *         "takeProfit": {
           *           "ticks": 80
           *         },
           *         "stopLoss": {
           *           "offset": 10
           *         }
           *       },
           *       "schedule": {
           *         "cron": "*\/5 9-15 * * MON-FRI",
           *         "timeZone": "America/New_York"
           *       },
           *       "state": "scheduled",
           *       "reason": null,
           *       "nextEvaluationAt": "2026-09-21T14:35:00.000Z",
           *       "lastEvaluation": {
           *         "id": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *         "accountId": "paper-1",
           *         "trigger": "schedule",
           *         "dryRun": false,
           *         "decision": "enterLong",
           *         "reason": "enterLong is true, it is flat",
           *         "outcome": "done",
           *         "outcomeReason": "The order in MNQZ6 is filled: 1 at 25210.75",
           *         "intentId": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *         "symbol": "MNQZ6",
           *         "slotAt": "2026-09-21T14:30:00.000Z",
           *         "startedAt": "2026-09-21T14:30:00.000Z",
           *         "endedAt": "2026-09-21T14:30:00.031Z",
           *         "barsEndAt": "2026-09-21T14:30:00.000Z",
           *         "barCount": 200,
           *         "inputsHash": "9f2c4a17d0be5836a1c9e0d47b2f6a18c35d7e90f4b1a2c86d3e5f7091b4c2d8",
           *         "heldQty": 0,
           *         "targetQty": 1,
           *         "values": {
           *           "fast": 25207.1,
           *           "slow": 25206.4
           *         },
           *         "conditions": {
           *           "enterLong": true,
           *           "exitLong": false
           *         },
           *         "computeMs": 4,
           *         "durationMs": 31,
           *         "missed": null
           *       },
           *       "version": 1,
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "changedAt": "2026-09-21T14:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Strategy"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed. STRATEGY_CONFLICT: Another strategy trades this market on the account */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description TOO_MANY_STRATEGIES: There are as many strategies as there may be */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readStrategy: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A strategy's id, as listed by GET /v1/strategies */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The strategy */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "st_9b1c07d24e6f",
           *       "name": "EMA cross",
           *       "accountId": "paper-1",
           *       "symbol": "MNQ1!",
           *       "barMinutes": 5,
           *       "barCount": 200,
           *       "indicators": {
           *         "fast": {
           *           "type": "ema",
           *           "period": 9
           *         },
           *         "slow": {
           *           "type": "ema",
           *           "period": 21
           *         }
           *       },
           *       "conditions": {
           *         "enterLong": "crossesAbove(fast, slow) && time.hour >= 9",
           *         "exitLong": "crossesBelow(fast, slow)"
           *       },
           *       "qty": 1,
           *       "mode": "trade",
           *       "enabled": true,
           *       "bracket": {
           *         "takeProfit": {
           *           "ticks": 80
           *         },
           *         "stopLoss": {
           *           "offset": 10
           *         }
           *       },
           *       "schedule": {
           *         "cron": "*\/5 9-15 * * MON-FRI",
           *         "timeZone": "America/New_York"
           *       },
           *       "state": "scheduled",
           *       "reason": null,
           *       "nextEvaluationAt": "2026-09-21T14:35:00.000Z",
           *       "lastEvaluation": {
           *         "id": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *         "accountId": "paper-1",
           *         "trigger": "schedule",
           *         "dryRun": false,
           *         "decision": "enterLong",
           *         "reason": "enterLong is true, it is flat",
           *         "outcome": "done",
           *         "outcomeReason": "The order in MNQZ6 is filled: 1 at 25210.75",
           *         "intentId": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *         "symbol": "MNQZ6",
           *         "slotAt": "2026-09-21T14:30:00.000Z",
           *         "startedAt": "2026-09-21T14:30:00.000Z",
           *         "endedAt": "2026-09-21T14:30:00.031Z",
           *         "barsEndAt": "2026-09-21T14:30:00.000Z",
           *         "barCount": 200,
           *         "inputsHash": "9f2c4a17d0be5836a1c9e0d47b2f6a18c35d7e90f4b1a2c86d3e5f7091b4c2d8",
           *         "heldQty": 0,
           *         "targetQty": 1,
           *         "values": {
           *           "fast": 25207.1,
           *           "slow": 25206.4
           *         },
           *         "conditions": {
           *           "enterLong": true,
           *           "exitLong": false
           *         },
           *         "computeMs": 4,
           *         "durationMs": 31,
           *         "missed": null
           *       },
           *       "version": 1,
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "changedAt": "2026-09-21T14:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Strategy"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  deleteStrategy: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A strategy's id, as listed by GET /v1/strategies */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Deleted */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  changeStrategy: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A strategy's id, as listed by GET /v1/strategies */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeStrategy"];
      };
    };
    responses: {
      /** @description The strategy */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "st_9b1c07d24e6f",
           *       "name": "EMA cross",
           *       "accountId": "paper-1",
           *       "symbol": "MNQ1!",
           *       "barMinutes": 5,
           *       "barCount": 200,
           *       "indicators": {
           *         "fast": {
           *           "type": "ema",
           *           "period": 9
           *         },
           *         "slow": {
           *           "type": "ema",
           *           "period": 21
           *         }
           *       },
           *       "conditions": {
           *         "enterLong": "crossesAbove(fast, slow) && time.hour >= 9",
           *         "exitLong": "crossesBelow(fast, slow)"
           *       },
           *       "qty": 1,
           *       "mode": "trade",
           *       "enabled": true,
           *       "bracket": {
           *         "takeProfit": {
           *           "ticks": 80
           *         },
           *         "stopLoss": {
           *           "offset": 10
           *         }
           *       },
           *       "schedule": {
           *         "cron": "*\/5 9-15 * * MON-FRI",
           *         "timeZone": "America/New_York"
           *       },
           *       "state": "scheduled",
           *       "reason": null,
           *       "nextEvaluationAt": "2026-09-21T14:35:00.000Z",
           *       "lastEvaluation": {
           *         "id": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *         "accountId": "paper-1",
           *         "trigger": "schedule",
           *         "dryRun": false,
           *         "decision": "enterLong",
           *         "reason": "enterLong is true, it is flat",
           *         "outcome": "done",
           *         "outcomeReason": "The order in MNQZ6 is filled: 1 at 25210.75",
           *         "intentId": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *         "symbol": "MNQZ6",
           *         "slotAt": "2026-09-21T14:30:00.000Z",
           *         "startedAt": "2026-09-21T14:30:00.000Z",
           *         "endedAt": "2026-09-21T14:30:00.031Z",
           *         "barsEndAt": "2026-09-21T14:30:00.000Z",
           *         "barCount": 200,
           *         "inputsHash": "9f2c4a17d0be5836a1c9e0d47b2f6a18c35d7e90f4b1a2c86d3e5f7091b4c2d8",
           *         "heldQty": 0,
           *         "targetQty": 1,
           *         "values": {
           *           "fast": 25207.1,
           *           "slow": 25206.4
           *         },
           *         "conditions": {
           *           "enterLong": true,
           *           "exitLong": false
           *         },
           *         "computeMs": 4,
           *         "durationMs": 31,
           *         "missed": null
           *       },
           *       "version": 1,
           *       "createdAt": "2026-09-21T14:30:00.000Z",
           *       "changedAt": "2026-09-21T14:30:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Strategy"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed. STRATEGY_CONFLICT: Another strategy trades this market on the account */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  evaluateStrategy: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A strategy's id, as listed by GET /v1/strategies */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EvaluateStrategy"];
      };
    };
    responses: {
      /** @description What it decided, why, and what became of it */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *       "accountId": "paper-1",
           *       "trigger": "schedule",
           *       "dryRun": false,
           *       "decision": "enterLong",
           *       "reason": "enterLong is true, it is flat",
           *       "outcome": "done",
           *       "outcomeReason": "The order in MNQZ6 is filled: 1 at 25210.75",
           *       "intentId": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *       "symbol": "MNQZ6",
           *       "slotAt": "2026-09-21T14:30:00.000Z",
           *       "startedAt": "2026-09-21T14:30:00.000Z",
           *       "endedAt": "2026-09-21T14:30:00.031Z",
           *       "barsEndAt": "2026-09-21T14:30:00.000Z",
           *       "barCount": 200,
           *       "inputsHash": "9f2c4a17d0be5836a1c9e0d47b2f6a18c35d7e90f4b1a2c86d3e5f7091b4c2d8",
           *       "heldQty": 0,
           *       "targetQty": 1,
           *       "values": {
           *         "fast": 25207.1,
           *         "slow": 25206.4
           *       },
           *       "conditions": {
           *         "enterLong": true,
           *         "exitLong": false
           *       },
           *       "computeMs": 4,
           *       "durationMs": 31,
           *       "missed": null
           *     }
           */
          "application/json": components["schemas"]["Evaluation"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person. ACCOUNT_INACTIVE: The broker no longer reports the account, or stopped it */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listStrategyLogs: {
    parameters: {
      query?: {
        limit?: number;
        /** @description nextCursor of the page before, with the same filters */
        cursor?: string;
        /** @description true: leave out those after which nothing was to change */
        notable?: boolean;
      };
      header?: never;
      path: {
        /** @description A strategy's id, as listed by GET /v1/strategies */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of evaluations */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "logs": [
           *         {
           *           "id": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *           "accountId": "paper-1",
           *           "trigger": "schedule",
           *           "dryRun": false,
           *           "decision": "enterLong",
           *           "reason": "enterLong is true, it is flat",
           *           "outcome": "done",
           *           "outcomeReason": "The order in MNQZ6 is filled: 1 at 25210.75",
           *           "intentId": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *           "symbol": "MNQZ6",
           *           "slotAt": "2026-09-21T14:30:00.000Z",
           *           "startedAt": "2026-09-21T14:30:00.000Z",
           *           "endedAt": "2026-09-21T14:30:00.031Z",
           *           "barsEndAt": "2026-09-21T14:30:00.000Z",
           *           "barCount": 200,
           *           "inputsHash": "9f2c4a17d0be5836a1c9e0d47b2f6a18c35d7e90f4b1a2c86d3e5f7091b4c2d8",
           *           "heldQty": 0,
           *           "targetQty": 1,
           *           "values": {
           *             "fast": 25207.1,
           *             "slow": 25206.4
           *           },
           *           "conditions": {
           *             "enterLong": true,
           *             "exitLong": false
           *           },
           *           "computeMs": 4,
           *           "durationMs": 31,
           *           "missed": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          "application/json": components["schemas"]["StrategyLogs"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readStrategyChart: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A strategy's id, as listed by GET /v1/strategies */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As its broker tells it now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "symbol": "MNQZ6",
           *       "barMinutes": 5,
           *       "bars": [
           *         {
           *           "time": "2026-09-21T14:20:00.000Z",
           *           "open": 25200,
           *           "high": 25206.5,
           *           "low": 25198.25,
           *           "close": 25204,
           *           "volume": 812
           *         },
           *         {
           *           "time": "2026-09-21T14:25:00.000Z",
           *           "open": 25204,
           *           "high": 25211,
           *           "low": 25203.75,
           *           "close": 25210.5,
           *           "volume": 954
           *         }
           *       ],
           *       "indicators": {
           *         "fast": [
           *           25203.2,
           *           25207.1
           *         ],
           *         "slow": [
           *           null,
           *           25206.4
           *         ]
           *       },
           *       "decisions": [
           *         {
           *           "id": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *           "accountId": "paper-1",
           *           "trigger": "schedule",
           *           "dryRun": false,
           *           "decision": "enterLong",
           *           "reason": "enterLong is true, it is flat",
           *           "outcome": "done",
           *           "outcomeReason": "The order in MNQZ6 is filled: 1 at 25210.75",
           *           "intentId": "i5d20c7a91be3f684a0c9d1e8b7f2",
           *           "symbol": "MNQZ6",
           *           "slotAt": "2026-09-21T14:30:00.000Z",
           *           "startedAt": "2026-09-21T14:30:00.000Z",
           *           "endedAt": "2026-09-21T14:30:00.031Z",
           *           "barsEndAt": "2026-09-21T14:30:00.000Z",
           *           "barCount": 200,
           *           "inputsHash": "9f2c4a17d0be5836a1c9e0d47b2f6a18c35d7e90f4b1a2c86d3e5f7091b4c2d8",
           *           "heldQty": 0,
           *           "targetQty": 1,
           *           "values": {
           *             "fast": 25207.1,
           *             "slow": 25206.4
           *           },
           *           "conditions": {
           *             "enterLong": true,
           *             "exitLong": false
           *           },
           *           "computeMs": 4,
           *           "durationMs": 31,
           *           "missed": null
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["StrategyChart"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem. UNKNOWN_SYMBOL: The symbol resolves to no tradable contract */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description BROKER_UNAVAILABLE: The broker connection is not available; nothing was sent. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listConnections: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every connection */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "connections": [
           *         {
           *           "connectionId": "paper",
           *           "broker": "paper",
           *           "environment": "demo",
           *           "name": null,
           *           "paused": false,
           *           "status": "CONNECTED",
           *           "since": "2026-09-21T14:30:00.000Z",
           *           "reason": null,
           *           "retryAt": null
           *         },
           *         {
           *           "connectionId": "tradovate-1",
           *           "broker": "tradovate",
           *           "environment": "live",
           *           "name": "Evaluation",
           *           "paused": false,
           *           "status": "AUTH_EXPIRED",
           *           "since": "2026-09-21T14:30:00.000Z",
           *           "reason": "Incorrect username or password",
           *           "retryAt": null
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Connections"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  addConnection: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddConnection"];
      };
    };
    responses: {
      /** @description The connection, which is not logged in yet */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "connectionId": "tradovate-1",
           *       "broker": "tradovate",
           *       "environment": "live",
           *       "name": "Evaluation",
           *       "paused": false,
           *       "status": "CONNECTED",
           *       "since": "2026-09-21T14:30:00.000Z",
           *       "reason": null,
           *       "retryAt": null,
           *       "settings": {
           *         "name": "trader7",
           *         "cid": "8"
           *       },
           *       "secrets": {
           *         "password": true,
           *         "sec": true
           *       }
           *     }
           */
          "application/json": components["schemas"]["ConnectionDetail"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description LOGIN_IN_USE: Another connection logs in with it; nothing was changed. CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description TOO_MANY_CONNECTIONS: There are as many connections as there may be */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SEALING_UNAVAILABLE: Secrets cannot be sealed, so none was taken. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A connection's id, as listed by GET /v1/connections */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The connection, without its secrets */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "connectionId": "tradovate-1",
           *       "broker": "tradovate",
           *       "environment": "live",
           *       "name": "Evaluation",
           *       "paused": false,
           *       "status": "CONNECTED",
           *       "since": "2026-09-21T14:30:00.000Z",
           *       "reason": null,
           *       "retryAt": null,
           *       "settings": {
           *         "name": "trader7",
           *         "cid": "8"
           *       },
           *       "secrets": {
           *         "password": true,
           *         "sec": true
           *       }
           *     }
           */
          "application/json": components["schemas"]["ConnectionDetail"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  removeConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A connection's id, as listed by GET /v1/connections */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Removed */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CONNECTION_FIXED: The gateway's own settings say what this connection is */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  changeConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A connection's id, as listed by GET /v1/connections */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeConnection"];
      };
    };
    responses: {
      /** @description The connection, without its secrets */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "connectionId": "tradovate-1",
           *       "broker": "tradovate",
           *       "environment": "live",
           *       "name": "Evaluation",
           *       "paused": false,
           *       "status": "CONNECTED",
           *       "since": "2026-09-21T14:30:00.000Z",
           *       "reason": null,
           *       "retryAt": null,
           *       "settings": {
           *         "name": "trader7",
           *         "cid": "8"
           *       },
           *       "secrets": {
           *         "password": true,
           *         "sec": true
           *       }
           *     }
           */
          "application/json": components["schemas"]["ConnectionDetail"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CONNECTION_FIXED: The gateway's own settings say what this connection is. LOGIN_IN_USE: Another connection logs in with it; nothing was changed. CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SEALING_UNAVAILABLE: Secrets cannot be sealed, so none was taken. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  testConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A connection's id, as listed by GET /v1/connections */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What came of it, in the broker's words */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "result": "ok",
           *       "reason": null,
           *       "accounts": [
           *         {
           *           "accountId": "tradovate-1-12345",
           *           "name": "DEMO12345",
           *           "active": true
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["ConnectionTest"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CONNECTION_FIXED: The gateway's own settings say what this connection is */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  reconnectConnection: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A connection's id, as listed by GET /v1/connections */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How it stood, and in next what comes of it. GET /v1/connections tells the rest */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "connectionId": "tradovate-1",
           *       "broker": "tradovate",
           *       "environment": "live",
           *       "name": "Evaluation",
           *       "paused": false,
           *       "status": "AUTH_EXPIRED",
           *       "since": "2026-09-21T14:30:00.000Z",
           *       "reason": "Incorrect username or password",
           *       "retryAt": null,
           *       "next": "It logs in now"
           *     }
           */
          "application/json": components["schemas"]["Reconnect"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CHANGED_MEANWHILE: Somebody else changes it at this time; nothing was changed */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listBrokers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every broker that POST /v1/connections takes */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "brokers": [
           *         {
           *           "broker": "tradovate",
           *           "label": "Tradovate",
           *           "environments": [
           *             "demo",
           *             "live"
           *           ],
           *           "fields": [
           *             {
           *               "name": "name",
           *               "label": "User name",
           *               "type": "text",
           *               "required": true,
           *               "secret": false,
           *               "description": "User name of the Tradovate login"
           *             },
           *             {
           *               "name": "appVersion",
           *               "label": "Application version",
           *               "type": "text",
           *               "required": false,
           *               "secret": false,
           *               "description": "Version of the application as registered with the API key",
           *               "default": "1.0"
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Brokers"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readOverview: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it stands now */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "asOf": "2026-09-21T14:30:00.000Z",
           *       "safe": false,
           *       "connections": {
           *         "total": 2,
           *         "connected": 1
           *       },
           *       "killSwitch": {
           *         "active": false,
           *         "accounts": 0
           *       },
           *       "unknownOutcomes": 0,
           *       "unprotectedPositions": 0,
           *       "positions": {
           *         "held": 1,
           *         "protected": 0,
           *         "noneAsked": 1,
           *         "missing": 0,
           *         "unknown": 0
           *       },
           *       "holdings": [
           *         {
           *           "accountId": "paper-1",
           *           "accountName": "Paper 1",
           *           "environment": "demo",
           *           "symbol": "ESZ6",
           *           "side": "long",
           *           "qty": 1,
           *           "averagePrice": 5000.25,
           *           "markPrice": 5003.5,
           *           "unrealizedPnl": 162.5,
           *           "unrealizedTicks": 13,
           *           "realizedPnl": 0,
           *           "realizedTicks": 0,
           *           "currency": "USD",
           *           "tickSize": 0.25,
           *           "protection": {
           *             "state": "noneAsked",
           *             "missing": [],
           *             "openedBy": "alert",
           *             "reason": null
           *           },
           *           "stopLosses": [],
           *           "takeProfits": [],
           *           "asOf": "2026-09-21T14:29:58.000Z",
           *           "live": true
           *         }
           *       ],
           *       "waiting": 0,
           *       "oldestWaitingSeconds": null,
           *       "troubles": [
           *         {
           *           "kind": "connection",
           *           "connectionId": "tradovate-1",
           *           "severity": "critical",
           *           "since": "2026-09-21T14:12:03.000Z",
           *           "message": "Connection \"Evaluation\" was refused its login by the broker (Incorrect username or password). Orders are refused meanwhile, and its positions are not watched",
           *           "advice": "Correct its settings, then reconnect it",
           *           "accounts": []
           *         }
           *       ],
           *       "alerts": {
           *         "minutes": [
           *           {
           *             "at": "2026-09-21T13:31:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:32:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:33:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:34:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:35:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:36:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:37:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:38:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:39:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:40:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:41:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:42:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:43:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:44:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:45:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:46:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:47:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:48:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:49:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:50:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:51:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:52:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:53:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:54:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:55:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:56:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:57:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:58:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T13:59:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:00:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:01:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:02:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:03:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:04:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:05:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:06:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:07:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:08:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:09:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:10:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:11:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:12:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:13:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:14:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:15:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:16:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:17:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:18:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:19:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:20:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:21:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:22:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:23:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:24:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:25:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:26:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:27:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:28:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:29:00.000Z",
           *             "accepted": 0,
           *             "refused": 0
           *           },
           *           {
           *             "at": "2026-09-21T14:30:00.000Z",
           *             "accepted": 1,
           *             "refused": 0
           *           }
           *         ],
           *         "latencyMs": {
           *           "p50": 12,
           *           "p99": 12,
           *           "count": 1
           *         }
           *       }
           *     }
           */
          "application/json": components["schemas"]["Overview"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  streamConnectionHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream, until it is closed */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example retry: 3000
           *
           *     data: {"type":"snapshot","connectionId":"paper","status":"CONNECTED","ts":1790001000000}
           *
           *     data: {"type":"status","connectionId":"paper","status":"RECONNECTING","reason":"The broker closed the connection","retryAt":"2026-09-21T14:30:04.700Z","ts":1790001004321}
           *
           *     data: {"type":"status","connectionId":"paper","status":"CONNECTED","ts":1790001004702}
           *
           *     data: {"type":"heartbeat","ts":1790001015000}
           */
          "text/event-stream; charset=utf-8": string;
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_ACCEPTABLE: The Accept header allows no answer that there is */
      406: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After. TOO_MANY_STREAMS: As many streams are open as may be: close one first */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  streamChanges: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream, until it is closed */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example retry: 3000
           *
           *     data: {"type":"snapshot","connectionId":"paper","status":"CONNECTED","ts":1790001000000}
           *
           *     data: {"type":"changed","changes":[{"accountId":"paper-1","what":["orders","positions"]}],"ts":1790001004321}
           *
           *     data: {"type":"heartbeat","ts":1790001015000}
           */
          "text/event-stream; charset=utf-8": string;
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_ACCEPTABLE: The Accept header allows no answer that there is */
      406: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After. TOO_MANY_STREAMS: As many streams are open as may be: close one first */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "user": {
           *         "id": "user_5Q2mW7x1Tz0c",
           *         "name": "owner"
           *       },
           *       "signedInAt": "2026-11-20T14:30:00.000Z",
           *       "confirmedAt": "2026-11-20T14:30:00.000Z",
           *       "endsAt": "2026-11-21T02:30:00.000Z",
           *       "idleEndsAt": "2026-11-20T16:30:00.000Z",
           *       "passkeysPossible": true
           *     }
           */
          "application/json": components["schemas"]["Session"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  signIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SignIn"];
      };
    };
    responses: {
      /** @description Signed in */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          /** @description The session under a new secret */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "user": {
           *         "id": "user_5Q2mW7x1Tz0c",
           *         "name": "owner"
           *       },
           *       "signedInAt": "2026-11-20T14:30:00.000Z",
           *       "confirmedAt": "2026-11-20T14:30:00.000Z",
           *       "endsAt": "2026-11-21T02:30:00.000Z",
           *       "idleEndsAt": "2026-11-20T16:30:00.000Z",
           *       "passkeysPossible": true
           *     }
           */
          "application/json": components["schemas"]["Session"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SIGN_IN_FAILED: What was to prove a person does not */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SIGN_IN_BUSY: Too many sign in at once; nothing was looked at. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  signOut: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Signed out */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  confirmSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Confirm"];
      };
    };
    responses: {
      /** @description Signed in */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          /** @description The session under a new secret */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "user": {
           *         "id": "user_5Q2mW7x1Tz0c",
           *         "name": "owner"
           *       },
           *       "signedInAt": "2026-11-20T14:30:00.000Z",
           *       "confirmedAt": "2026-11-20T14:30:00.000Z",
           *       "endsAt": "2026-11-21T02:30:00.000Z",
           *       "idleEndsAt": "2026-11-20T16:30:00.000Z",
           *       "passkeysPossible": true
           *     }
           */
          "application/json": components["schemas"]["Session"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session. SIGN_IN_FAILED: What was to prove a person does not */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SIGN_IN_BUSY: Too many sign in at once; nothing was looked at. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  askForPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["AskForPasskey"];
      };
    };
    responses: {
      /** @description What the browser is to ask its person's passkey */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "challengeId": "chal_8Kd1pQ4v0Zxa",
           *       "options": {
           *         "challenge": "<random bytes in base64url>",
           *         "rpId": "gateway.example",
           *         "timeout": 240000,
           *         "userVerification": "required"
           *       }
           *     }
           */
          "application/json": components["schemas"]["Ceremony"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  signInByPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AnswerPasskey"];
      };
    };
    responses: {
      /** @description Signed in */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          /** @description The session under a new secret */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "user": {
           *         "id": "user_5Q2mW7x1Tz0c",
           *         "name": "owner"
           *       },
           *       "signedInAt": "2026-11-20T14:30:00.000Z",
           *       "confirmedAt": "2026-11-20T14:30:00.000Z",
           *       "endsAt": "2026-11-21T02:30:00.000Z",
           *       "idleEndsAt": "2026-11-20T16:30:00.000Z",
           *       "passkeysPossible": true
           *     }
           */
          "application/json": components["schemas"]["Session"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SIGN_IN_FAILED: What was to prove a person does not */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  checkSetUp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CheckSetUp"];
      };
    };
    responses: {
      /** @description The link holds */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "user": {
           *         "id": "user_5Q2mW7x1Tz0c",
           *         "name": "owner"
           *       },
           *       "isFirst": true
           *     }
           */
          "application/json": components["schemas"]["CheckedSetUp"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  setUp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetUp"];
      };
    };
    responses: {
      /** @description Signed in */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          /** @description The session under a new secret */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "user": {
           *         "id": "user_5Q2mW7x1Tz0c",
           *         "name": "owner"
           *       },
           *       "signedInAt": "2026-11-20T14:30:00.000Z",
           *       "confirmedAt": "2026-11-20T14:30:00.000Z",
           *       "endsAt": "2026-11-21T02:30:00.000Z",
           *       "idleEndsAt": "2026-11-20T16:30:00.000Z",
           *       "passkeysPossible": true
           *     }
           */
          "application/json": components["schemas"]["Session"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NAME_TAKEN: Somebody else signs in with this name */
      409: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SIGN_IN_BUSY: Too many sign in at once; nothing was looked at. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  changePassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangePassword"];
      };
    };
    responses: {
      /** @description Changed */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. SIGN_IN_AGAIN: The person must confirm who they are: their proof is too old. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description SIGN_IN_BUSY: Too many sign in at once; nothing was looked at. STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listPasskeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every passkey */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "passkeys": [
           *         {
           *           "id": "pass_2Nf7cX0rQ9bd",
           *           "name": "Laptop",
           *           "createdAt": "2026-11-20T14:32:00.000Z"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Passkeys"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  addPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AddPasskey"];
      };
    };
    responses: {
      /** @description The passkey */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "pass_2Nf7cX0rQ9bd",
           *       "name": "Laptop",
           *       "createdAt": "2026-11-20T14:32:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Passkey"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. SIGN_IN_AGAIN: The person must confirm who they are: their proof is too old. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description TOO_MANY_PASSKEYS: There are as many passkeys as there may be */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  offerPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What the browser is to make */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "challengeId": "chal_8Kd1pQ4v0Zxa",
           *       "options": {
           *         "challenge": "<random bytes in base64url>",
           *         "rp": {
           *           "id": "gateway.example",
           *           "name": "Alert gateway"
           *         },
           *         "user": {
           *           "id": "<base64url>",
           *           "name": "owner",
           *           "displayName": ""
           *         },
           *         "pubKeyCredParams": [
           *           {
           *             "alg": -7,
           *             "type": "public-key"
           *           }
           *         ]
           *       }
           *     }
           */
          "application/json": components["schemas"]["Ceremony"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. SIGN_IN_AGAIN: The person must confirm who they are: their proof is too old. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description TOO_MANY_PASSKEYS: There are as many passkeys as there may be */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  removePasskey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public id of a passkey */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Removed */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. SIGN_IN_AGAIN: The person must confirm who they are: their proof is too old. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  listKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every key, the revoked ones too, without their secrets */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "keys": [
           *         {
           *           "id": "key_7Yt3wB5mL1ze",
           *           "name": "Dashboard",
           *           "scopes": [
           *             "read"
           *           ],
           *           "createdAt": "2026-11-20T14:33:00.000Z"
           *         }
           *       ]
           *     }
           */
          "application/json": components["schemas"]["Keys"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  createKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateKey"];
      };
    };
    responses: {
      /** @description The key with its secret */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "key_7Yt3wB5mL1ze",
           *       "name": "Dashboard",
           *       "scopes": [
           *         "read"
           *       ],
           *       "createdAt": "2026-11-20T14:33:00.000Z",
           *       "key": "<key>"
           *     }
           */
          "application/json": components["schemas"]["CreatedKey"];
        };
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. SIGN_IN_AGAIN: The person must confirm who they are: their proof is too old. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description REQUEST_TIMEOUT: The request's headers or body came too slowly */
      408: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNSUPPORTED_MEDIA_TYPE: The body is not declared as application/json */
      415: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description TOO_MANY_KEYS: There are as many living keys as there may be */
      422: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  revokeKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The public id of a key; not its secret */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Revoked, now or before */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description VALIDATION_FAILED: The request is not valid; details name every problem */
      400: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description UNAUTHORIZED: There is neither a living key in X-API-Key nor a session */
      401: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INSUFFICIENT_SCOPE: The API key lacks the scope that this needs. CROSS_SITE_REFUSED: Another site's page asks in the name of a person */
      403: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description NOT_FOUND: There is no such thing, or it belongs to somebody else */
      404: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description RATE_LIMITED: Too many requests; see Retry-After */
      429: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description STORE_UNAVAILABLE: Redis is not available; nothing was written or sent */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  alive: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It runs */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "ok"
           *     }
           */
          "application/json": components["schemas"]["Alive"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  ready: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It can */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ready": true,
           *       "checks": {
           *         "store": true,
           *         "broker": true
           *       }
           *     }
           */
          "application/json": components["schemas"]["Ready"];
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description It cannot now */
      503: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "Retry-After": components["headers"]["Retry-After"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "ready": false,
           *       "checks": {
           *         "store": false,
           *         "broker": true
           *       }
           *     }
           */
          "application/json": components["schemas"]["Ready"];
        };
      };
    };
  };
  metrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In Prometheus' text format */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          /** @example gateway_up 1 */
          "text/plain; version=0.0.4; charset=utf-8": string;
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  apiDocs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OpenAPI 3.1 */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "openapi": "3.1.0",
           *       "info": {
           *         "title": "Alert gateway",
           *         "version": "1.0.0"
           *       }
           *     }
           */
          "application/json": {
            [key: string]: unknown;
          };
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  openApi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OpenAPI 3.1 */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "openapi": "3.1.0",
           *       "info": {
           *         "title": "Alert gateway",
           *         "version": "1.0.0"
           *       }
           *     }
           */
          "application/json": {
            [key: string]: unknown;
          };
        };
      };
      /** @description INTERNAL_ERROR: The gateway failed; what was asked may have happened */
      500: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
}
