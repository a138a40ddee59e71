export const USAGE = `Commands, with the gateway running or stopped:

  users list
  users link [ID]                                 print a link to choose a password by, once
  users add NAME                                  the same for somebody new
  users remove ID                                 with their keys, webhooks and connections
  keys create --name NAME --scopes read,trade     print a new API key, once
  keys list
  keys revoke ID
  webhooks create --account ACCOUNT [--name NAME] [--profile PROFILE]
                                                  print a new webhook URL, once
  webhooks list
  webhooks delete ID
  limits show ACCOUNT
  limits set ACCOUNT [--max-order-qty N] [--max-position-qty N] [--max-orders-per-minute N]
             [--entries-without-cancel yes|no]
  account day ACCOUNT [--begins HH:MM --zone ZONE]
                                                  when its days begin, and set another clock
  exits list ACCOUNT                              that are not done, or wait for their market
  exits take-back ACCOUNT EXIT                    send nothing more of one
  kill-switch show
  kill-switch on  [--account ACCOUNT] [--reason TEXT]
  kill-switch off [--account ACCOUNT]
  guards show ACCOUNT                             how near each is, and whether the account is locked
  guards lock ACCOUNT [--until INSTANT] [--lock soft|hard] [--then flatten|exitsOnly] [--reason TEXT]
                                                  let nothing in, until the next trading day by itself
  guards unlock ACCOUNT --reason TEXT             end a soft lock early
  connection list
  connection brokers [BROKER]                     what each asks for, and what to know first
  connection add BROKER --environment demo|live [--name NAME] [--set NAME=VALUE]...
  connection edit CONNECTION [--name NAME] [--set NAME=VALUE]... [--unset NAME]...
  connection pause CONNECTION
  connection resume CONNECTION
  connection test CONNECTION                      log in, read the accounts, log out
  connection remove CONNECTION
  connection reconnect CONNECTION                 begin a new session, also after the broker refused it
  destinations list
  destinations test DESTINATION                   send a sample now, and say what came back
  destinations undelivered DESTINATION            what was given up, and why
  destinations replay DESTINATION [EVENT]...      send these again, or all
  backup create FOLDER                            the whole store and the sealing key, of one moment
  backup restore FOLDER [--redis-dir DIR]         with the gateway stopped, where nothing is yet

Passwords and other secrets are never part of a command: add and edit take them with --secrets prompt,
with --secrets stdin (a line NAME=VALUE for each), or from the environment (CONNECTION_PASSWORD, ...).
`;
