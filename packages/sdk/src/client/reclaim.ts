import type { Address } from "viem";
import { normalizeDid } from "../did.ts";
import { defineRead, defineWrite } from "./calls.ts";
import { toRecordArgs } from "./context.ts";

/** Open reclaim of a claimant. It can be finished from `finishableFrom` until `expiresAt`. Times are Unix seconds. */
export type Reclaim = { openedAt: number; finishableFrom: number; expiresAt: number };

export type ReclaimParameters = { did: string; major: number; claimant: Address };

/**
 * Reads a claimant's open reclaim of a record. Returns `undefined` if no reclaim is open or it has expired.
 *
 * @example
 * const reclaim = await client.getReclaim({ did, major: 1, claimant: newcomer });
 * if (reclaim) console.log(new Date(reclaim.finishableFrom * 1000));
 */
export const getReclaim = defineRead(
  "AppRegistry",
  "getReclaim",
  "did major claimant",
  ({ did, major, claimant }: ReclaimParameters) => [normalizeDid(did), major, claimant],
  ({ openedAt, finishableFrom, expiresAt }): Reclaim | undefined =>
    openedAt === 0n
      ? undefined
      : { openedAt: Number(openedAt), finishableFrom: Number(finishableFrom), expiresAt: Number(expiresAt) },
);

/**
 * Opens the sender's reclaim of a record whose minter and holder do not resist it (see `resistsReclaim`). The sender
 * must control the DID.
 *
 * @example
 * const hash = await client.openReclaim({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const openReclaim = defineWrite("AppRegistry", "openReclaim", "did major", toRecordArgs);

/**
 * Transfers the record's token to the sender, 30 to 60 days after the sender opened its reclaim, unless the minter or
 * holder resists or dismissed it. The record's next version may be lower than the current one.
 *
 * @example
 * const hash = await client.finishReclaim({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const finishReclaim = defineWrite("AppRegistry", "finishReclaim", "did major", toRecordArgs);

/**
 * Ends every open reclaim of a record, as an update does. The sender must be allowed to update the record.
 *
 * @example
 * const hash = await client.dismissReclaims({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const dismissReclaims = defineWrite("AppRegistry", "dismissReclaims", "did major", toRecordArgs);
