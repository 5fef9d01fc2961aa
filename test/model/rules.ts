import type { Action, Of } from "./actions.ts";
import { key, Resolver, when } from "./resolver.ts";
import { DAY } from "./runs.ts";

/** Record of the registry, with the fields that depend on control of its DID. */
export interface AppRecord {
  tokenId: number;
  minter: string;
  holder: string;
  status: number;
  /** Number of its versions. */
  versions: number;
  /** Time at which each claimant opened its last reclaim, without finished and dismissed ones. */
  reclaims: Map<string, number>;
}

/** Seconds after its opening from which a reclaim can be finished, and from which it has expired. */
export const RECLAIM_FROM = 30 * DAY;
export const RECLAIM_UNTIL = 60 * DAY;
const ACTIVE = 0;

type OfRecord = Extract<Action, { major: number }>;

/** Model of the resolver, and of the registry's records and reclaims. */
export class Rules extends Resolver {
  readonly records = new Map<string, AppRecord>();

  recordOf = (did: string, major: number) => this.records.get(key(did, String(major)));

  override perform(action: Action): string[] {
    if (!("major" in action)) return super.perform(action);
    if (action.kind === "mint") return this.mint(action);
    const record = this.recordOf(action.did, action.major);
    if (!record) return ["AppNotFound", "ERC721NonexistentToken", "InvalidStatus"];
    const refusals = this.refusals(action, record);
    if (refusals.length === 0) this.change(action, record);
    return refusals;
  }

  /** Returns the time at which a claimant opened its reclaim, or `undefined` if it has no open one. */
  openReclaimOf({ reclaims }: AppRecord, claimant: string): number | undefined {
    const openedAt = reclaims.get(claimant);
    return openedAt !== undefined && this.now < openedAt + RECLAIM_UNTIL ? openedAt : undefined;
  }

  private mint({ by, did, major }: OfRecord): string[] {
    const refusals = [
      ...when("NotController", !this.checkDID(did, by)),
      ...when("AppAlreadyExists", this.recordOf(did, major) !== undefined),
    ];
    if (refusals.length > 0) return refusals;
    const owners = { minter: by, holder: by, reclaims: new Map<string, number>() };
    const record = { tokenId: this.records.size + 1, ...owners, status: ACTIVE, versions: 1 };
    this.records.set(key(did, String(major)), record);
    return [];
  }

  private refusals(action: Exclude<OfRecord, Of<"mint">>, record: AppRecord): string[] {
    const { by, did } = action;
    const controls = this.checkDID(did, by);
    const mayChange = controls && this.isOwner(record, by);
    const isContested = [record.minter, record.holder].some(
      (owner) => owner !== by && this.account(did, owner).resistsReclaim(this.now),
    );
    const openedAt = this.openReclaimOf(record, by);
    const notAllowed = (allowed: boolean) => (allowed ? [] : ["NotAuthorized", "NotController"]);
    switch (action.kind) {
      case "mint":
      case "transfer":
        return record.holder === by ? [] : ["ERC721IncorrectOwner", "ERC721InsufficientApproval"];
      case "update":
      case "republish":
      case "dismissReclaims":
        return notAllowed(mayChange);
      case "updateStatus":
        return [
          ...notAllowed(mayChange || (controls && action.status !== ACTIVE)),
          ...when("StatusUnchanged", action.status === record.status),
          ...when("InvalidStatus", action.status > 2),
        ];
      case "openReclaim":
        return [
          ...when("NotController", !controls),
          ...when("ReclaimContested", isContested),
          ...when("ReclaimAlreadyOpen", openedAt !== undefined),
        ];
      case "finishReclaim":
        return [
          ...when("ReclaimNotOpen", openedAt === undefined),
          ...when("ReclaimNotFinishable", openedAt !== undefined && this.now < openedAt + RECLAIM_FROM),
          ...when("NotController", !controls),
          ...when("ReclaimContested", isContested),
        ];
    }
  }

  private isOwner = ({ minter, holder }: AppRecord, account: string) =>
    account === minter || account === holder;

  private change(action: OfRecord, record: AppRecord): void {
    const { kind, by } = action;
    if (kind === "transfer") record.holder = action.to;
    else if (kind === "openReclaim") record.reclaims.set(by, this.now);
    else if (kind === "finishReclaim") {
      record.holder = by;
      record.reclaims.delete(by);
    } else if (this.isOwner(record, by)) record.reclaims.clear();
    if (kind === "updateStatus") record.status = action.status;
    if (kind === "update") record.versions++;
  }
}
