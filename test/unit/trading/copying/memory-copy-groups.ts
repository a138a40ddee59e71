import type { CopyGroup } from "../../../../src/domain/copying/copy-group.ts";
import type { CopyGroupId } from "../../../../src/domain/ids.ts";
import type { CopyGroups } from "../../../../src/trading/copying/ports.ts";

/** Copy groups at hand for a test, with the versions of the real ones. */
export class CopyGroupTable implements CopyGroups {
  readonly kept = new Map<CopyGroupId, CopyGroup>();
  /** Runs right before something is written: what others do at that moment. */
  beforeWrite: () => void = () => undefined;
  #version = 0;

  /** Somebody else's change. */
  put(group: CopyGroup): void {
    this.kept.set(group.groupId, group);
    this.#version += 1;
  }

  readonly version = async () => this.#version;

  readonly read = async () => ({ groups: [...this.kept.values()], version: this.#version });

  readonly save = async (group: CopyGroup, version: number) => {
    this.beforeWrite();
    if (version !== this.#version) return false;
    this.put(group);
    return true;
  };

  readonly remove = async (id: CopyGroupId, version: number) => {
    this.beforeWrite();
    if (version !== this.#version) return false;
    this.kept.delete(id);
    this.#version += 1;
    return true;
  };
}
