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
  /** Reclaim of each claimant, without finished ones and those that an act of the holder ended. */
  reclaims: Map<string, Reclaim>;
  /** True if another account than the minter finished the last reclaim. */
  hasMinterLost: boolean;
}

interface Reclaim {
  openedAt: number;
  /** True if the claimant held the token when it opened the reclaim. */
  isByHolder: boolean;
  /** True if an act that rests on the minter alone came later. */
  isOpposed: boolean;
}

/** Seconds after its opening from which a reclaim can be finished, and from which it has expired. */
export const RECLAIM_FROM = 30 * DAY;
export const RECLAIM_UNTIL = 60 * DAY;
/** Shortest time between two mints of a DID, from the third on. */
const MINT_INTERVAL = DAY;
const ACTIVE = 0;

type OfRecord = Extract<Action, { major: number }>;

/** Model of the resolver, and of the registry's records and reclaims. */
export class Rules extends Resolver {
  readonly records = new Map<string, AppRecord>();
  /** Times of each DID's mints. */
  readonly mints = new Map<string, number[]>();

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
  openReclaimOf({ reclaims, holder }: AppRecord, claimant: string): number | undefined {
    const reclaim = reclaims.get(claimant);
    if (!reclaim || this.now >= reclaim.openedAt + RECLAIM_UNTIL) return undefined;
    const isEnded = reclaim.isOpposed && !(reclaim.isByHolder && claimant === holder);
    return isEnded ? undefined : reclaim.openedAt;
  }

  /** Returns the time from which a DID's next record can be minted. */
  mintableFrom(did: string): number {
    const { length, [length - 1]: last = 0 } = this.mints.get(did) ?? [];
    return length < 2 ? 0 : last + MINT_INTERVAL;
  }

  private majorsOf = (did: string) =>
    [...this.records.keys()]
      .filter((name) => name.startsWith(`${did} `))
      .map((name) => Number(name.split(" ")[1]));

  private mint({ by, did, major }: OfRecord): string[] {
    const majors = this.majorsOf(did);
    const refusals = [
      ...when("NotController", !this.checkDID(did, by)),
      ...when("AppAlreadyExists", this.recordOf(did, major) !== undefined),
      ...when("MajorNotNext", majors.length > 0 && major > Math.max(...majors) + 1),
      ...when("MintTooEarly", this.now < this.mintableFrom(did)),
    ];
    if (refusals.length > 0) return refusals;
    this.mints.set(did, [...(this.mints.get(did) ?? []), this.now]);
    const owners = { minter: by, holder: by, reclaims: new Map<string, Reclaim>(), hasMinterLost: false };
    const record = { tokenId: this.records.size + 1, ...owners, status: ACTIVE, versions: 1 };
    this.records.set(key(did, String(major)), record);
    return [];
  }

  private refusals(action: Exclude<OfRecord, Of<"mint">>, record: AppRecord): string[] {
    const { by, did } = action;
    const controls = this.checkDID(did, by);
    const mayChange = controls && this.isOwner(record, by);
    const openedAt = this.openReclaimOf(record, by);
    const isHolder = by === record.holder;
    const isOfHolder =
      action.kind === "openReclaim" ? isHolder : isHolder && record.reclaims.get(by)?.isByHolder;
    const opponents = [record.holder, ...(record.hasMinterLost || isOfHolder ? [] : [record.minter])];
    const isContested = opponents.some(
      (owner) => owner !== by && this.account(did, owner).resistsReclaim(this.now),
    );
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

  private isOwner = ({ minter, holder, hasMinterLost }: AppRecord, account: string) =>
    (account === minter && !hasMinterLost) || account === holder;

  private change(action: OfRecord, record: AppRecord): void {
    const { kind, by } = action;
    if (kind === "transfer") record.holder = action.to;
    else if (kind === "openReclaim") {
      const isByHolder = by === record.holder;
      record.reclaims.set(by, { openedAt: this.now, isByHolder, isOpposed: false });
    } else if (kind === "finishReclaim") {
      record.holder = by;
      record.hasMinterLost = by !== record.minter;
      record.reclaims.delete(by);
    } else if (by === record.holder) record.reclaims.clear();
    else if (this.isOwner(record, by))
      for (const reclaim of record.reclaims.values()) reclaim.isOpposed = true;
    if (kind === "updateStatus") record.status = action.status;
    if (kind === "update") record.versions++;
  }
}
