import { AccountOf } from "../../parts/account-of.tsx";
import { qtyText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { ACTS, Table } from "../../parts/table.tsx";
import { FollowerActions } from "./follower-actions.tsx";
import { FollowerStanding } from "./follower-state.tsx";
import { differencesInWords, signedText, sizeInWords } from "./follower-terms.ts";
import type { FollowerPosition, FollowerProps, FollowerState, Synced } from "./world.ts";

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

/** Who follows, how large, and whether each is in sync: a line for each contract. */
export function FollowerTable(of: GroupProps) {
  const { followers } = of.group;
  if (followers.length === 0) {
    return <p class="empty">No followers yet: add an account and choose its size.</p>;
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
              <AccountOf id={accountId} accounts={accounts} />
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
            Flat, as it should be.
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
  const { symbol, leaderQty, targetQty, heldQty } = position;
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
        <OffBy position={position} state={state} />
      </td>
    </>
  );
}

function OffBy({ position, state }: { position: FollowerPosition; state: FollowerState }) {
  const { driftQty, heldQty, targetQty } = position;
  const offBy = heldQty - targetQty;
  const text = signedText(offBy);
  // Nobody judges what one holds to which nothing is copied.
  if (offBy === 0 || state === "off" || state === "paused") return <>{text}</>;
  // It joined late or was just copied to: it is told how far it is away, and not blamed for it.
  if (driftQty === 0) return <span class="quiet">{text}</span>;
  return <Mark tone={state === "drifting" ? "bad" : "watch"}>{text}</Mark>;
}
