import { AccountOf } from "../../parts/account-of.tsx";
import { qtyText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { ACTS, Table } from "../../parts/table.tsx";
import { FollowerActions, type FollowerProps } from "./follower-actions.tsx";
import { FollowerStanding } from "./follower-state.tsx";
import { differencesInWords, signedText, sizeInWords } from "./follower-words.ts";
import type { FollowerPosition, FollowerState, Synced } from "./types.ts";

const COLUMNS = [
  "Follower",
  "State",
  "Contract",
  { figure: "Leader" },
  { figure: "Target" },
  { figure: "Held" },
  { figure: "Off by" },
  ACTS,
];

type GroupProps = Omit<FollowerProps, "follower"> & { onSynced: (synced: Synced) => void };

/** Who follows, how large, and whether each holds what it is to hold: a line for each contract. */
export function FollowerTable(of: GroupProps) {
  const { followers } = of.group;
  if (followers.length === 0) {
    return <p class="empty">Nobody follows yet: add an account, and say how large it follows.</p>;
  }
  return (
    <div class="followers">
      <Table look="cards" columns={COLUMNS}>
        {followers.map((follower) => (
          <FollowerRows key={follower.accountId} {...of} follower={follower} />
        ))}
      </Table>
    </div>
  );
}

function FollowerRows({ onSynced, ...of }: GroupProps & FollowerProps) {
  const { accounts, follower } = of;
  const { accountId, positions } = follower;
  const [first, ...others] = positions;
  const rowSpan = Math.max(1, positions.length);
  return (
    <>
      <tr>
        <th scope="row" data-name="Follower" rowSpan={rowSpan}>
          <div class="stack">
            <span class="row">
              <AccountOf id={accountId} account={accounts.find(({ id }) => id === accountId)} />
            </span>
            <span class="terms">{sizeInWords(follower)}</span>
            {differencesInWords(follower).map((words) => (
              <span key={words} class="terms quiet">
                {words}
              </span>
            ))}
          </div>
        </th>
        <td data-name="State" rowSpan={rowSpan}>
          <FollowerStanding follower={follower} />
        </td>
        {first === undefined ? (
          <td colSpan={5} class="quiet">
            Nothing is held, and nothing is to be.
          </td>
        ) : (
          <Figures position={first} state={follower.state} />
        )}
        <td rowSpan={rowSpan}>
          <FollowerActions {...of} onSynced={onSynced} />
        </td>
      </tr>
      {others.map((position) => (
        <tr key={position.symbol} class="more">
          <Figures position={position} state={follower.state} />
        </tr>
      ))}
    </>
  );
}

function Figures({ position, state }: { position: FollowerPosition; state: FollowerState }) {
  const { symbol, leaderQty, targetQty, heldQty, driftQty } = position;
  return (
    <>
      <td data-name="Contract" class="contract">
        {symbol}
      </td>
      <td data-name="Leader" class="number">
        {qtyText(leaderQty)}
      </td>
      <td data-name="Target" class="number">
        {qtyText(targetQty)}
      </td>
      <td data-name="Held" class="number">
        <strong>{qtyText(heldQty)}</strong>
      </td>
      <td data-name="Off by" class="number">
        <OffBy driftQty={driftQty} state={state} />
      </td>
    </>
  );
}

function OffBy({ driftQty, state }: { driftQty: number; state: FollowerState }) {
  const text = signedText(driftQty);
  // Nobody judges what one holds to which nothing is copied.
  if (driftQty === 0 || state === "off" || state === "paused") return <>{text}</>;
  return <Mark tone={state === "drifting" ? "bad" : "watch"}>{text}</Mark>;
}
