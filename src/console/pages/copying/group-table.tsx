import { Table } from "../../parts/table.tsx";
import { GroupStanding } from "./follower-state.tsx";
import { Leader } from "./leader.tsx";
import { modeWord } from "./policy-words.ts";
import type { World } from "./types.ts";

const COLUMNS = ["Name", "Leader", "Copied", "State", { figure: "Followers" }];

/** Every group in a line, each with a page of its own. */
export function GroupTable({ world }: { world: World }) {
  const { groups } = world;
  if (groups.length === 0) {
    return (
      <p class="empty">
        No group yet. In a group, accounts follow another one: what that one trades, they trade,
        each in its own size.
      </p>
    );
  }
  return (
    <Table look="cards" columns={COLUMNS}>
      {groups.map((group) => (
        <tr key={group.id}>
          <th scope="row" data-name="Name">
            <a href={`#/copying/${group.id}`}>{group.name}</a>
          </th>
          <td data-name="Leader">
            <Leader group={group} world={world} />
          </td>
          <td data-name="Copied">{modeWord(group.mode)}</td>
          <td data-name="State">
            <GroupStanding group={group} />
          </td>
          <td data-name="Followers" class="number">
            {group.followers.length}
          </td>
        </tr>
      ))}
    </Table>
  );
}
