import type { Action } from "./actions.ts";
import { key } from "./questions.ts";
import { ResolverModel } from "./resolver.ts";
import { DAY } from "./runs.ts";

/** A record of the registry, as far as control of its DID decides. */
export interface AppRecord {
  tokenId: number;
  minter: string;
  holder: string;
  /** Of each claimant. */
  reclaims: Map<string, Reclaim>;
}

interface Reclaim {
  openedAt: number;
  /** Who held the token then. */
  holder: string;
}

/** From when a reclaim can be finished, and from when it is void; after its opening. */
export const RECLAIM_WAIT = 30 * DAY;
export const RECLAIM_VOID = 60 * DAY;

/** The resolver's rules, and those of minting, transfers and reclaims. */
export class Rules extends ResolverModel {
  readonly records = new Map<string, AppRecord>();

  recordOf = (did: string, major: number) => this.records.get(key(did, String(major)));

  override perform(action: Action): string[] {
    switch (action.kind) {
      case "mint":
        return this.mint(action);
      case "transfer":
        return this.transfer(action);
      case "openReclaim":
        return this.openReclaim(action);
      case "finishReclaim":
        return this.finishReclaim(action);
      default:
        return super.perform(action);
    }
  }

  /** The claimant's reclaim, unless it is void. */
  openedReclaim({ reclaims }: AppRecord, claimant: string): Reclaim | undefined {
    const reclaim = reclaims.get(claimant);
    return reclaim && this.now < reclaim.openedAt + RECLAIM_VOID ? reclaim : undefined;
  }

  private mint({ by, did, major }: Call): string[] {
    const refusals = [
      ...(this.checkDID(did, by) ? [] : ["NotController"]),
      ...(this.recordOf(did, major) ? ["AppAlreadyExists"] : []),
    ];
    if (refusals.length > 0) return refusals;
    const tokenId = this.records.size + 1;
    this.records.set(key(did, String(major)), { tokenId, minter: by, holder: by, reclaims: new Map() });
    return [];
  }

  private transfer({ by, did, major, to }: Call & { to: string }): string[] {
    const record = this.recordOf(did, major);
    if (!record) return ["ERC721NonexistentToken"];
    if (record.holder !== by) return ["ERC721IncorrectOwner", "ERC721InsufficientApproval"];
    record.holder = to;
    return [];
  }

  private openReclaim({ by, did, major }: Call): string[] {
    const record = this.recordOf(did, major);
    if (!record) return ["AppNotFound"];
    const refusals = [
      ...(this.checkDID(did, by) ? [] : ["NotController"]),
      ...([record.minter, record.holder].some((owner) => this.checkDID(did, owner))
        ? ["ReclaimContested"]
        : []),
      ...(this.openedReclaim(record, by) ? ["ReclaimAlreadyOpen"] : []),
    ];
    if (refusals.length === 0) record.reclaims.set(by, { openedAt: this.now, holder: record.holder });
    return refusals;
  }

  private finishReclaim({ by, did, major }: Call): string[] {
    const record = this.recordOf(did, major);
    if (!record) return ["AppNotFound"];
    const reclaim = this.openedReclaim(record, by);
    if (!reclaim) return ["ReclaimNotOpen"];
    const { openedAt } = reclaim;
    const contests = (owner: string) =>
      owner !== by &&
      (this.countedSince(did, owner, openedAt) ||
        (this.isAttested(did, owner) && !this.isObjected(did, owner)));
    const refusals = [
      ...(this.now < openedAt + RECLAIM_WAIT ? ["ReclaimNotFinishable"] : []),
      ...(this.checkDID(did, by) ? [] : ["NotController"]),
      ...([record.minter, record.holder, reclaim.holder].some(contests) ? ["ReclaimContested"] : []),
    ];
    if (refusals.length > 0) return refusals;
    record.holder = by;
    record.reclaims.clear();
    return [];
  }
}

interface Call {
  by: string;
  did: string;
  major: number;
}
