import type { Context } from "ponder:registry";
import { app, dataHashAttestation, didAttestation, issuer, service, tokenOfMajor } from "ponder:schema";
import { and, eq, sql } from "ponder";
import type { Hex } from "viem";
import { readRun } from "./runs.ts";

/** What a record lacks in the column `unproven`: the sum of these. */
export const lacking = { content: 1, control: 2 } as const;

/**
 * Has the records of a DID say what evidence they lack at `now`, Unix seconds. To be called when an attestation begins
 * or ends; that one expires is no event, and shows with the next.
 */
export async function refreshEvidence(db: Context["db"], didHash: Hex, now: number): Promise<void> {
  const known = await db.find(service, { didHash });
  if (!known) return;
  const at = sql`${now}::int8`;
  // Read in SQL, but written by key: a write in SQL would empty Ponder's cache of every table.
  const controllers = await db.sql
    .select({ controller: didAttestation.controller })
    .from(didAttestation)
    .innerJoin(issuer, eq(issuer.address, didAttestation.issuer))
    .where(
      and(eq(didAttestation.didHash, didHash), readRun(didAttestation, issuer.distrustedSince).isLiveAt(at)),
    );
  const hashes = await db.sql
    .select({ dataHash: dataHashAttestation.dataHash })
    .from(dataHashAttestation)
    .innerJoin(issuer, eq(issuer.address, dataHashAttestation.issuer))
    .where(
      and(
        eq(dataHashAttestation.didHash, didHash),
        readRun(dataHashAttestation, issuer.distrustedSince).isLiveAt(at),
      ),
    );
  for (const major of known.majors) {
    const token = await db.find(tokenOfMajor, { didHash, major });
    const record = token && (await db.find(app, { tokenId: token.tokenId }));
    if (!record) continue;
    const isControlled = controllers.some(
      ({ controller }) => controller === record.minter || controller === record.owner,
    );
    const hasContent = record.pointer !== null || hashes.some(({ dataHash }) => dataHash === record.dataHash);
    const unproven = (isControlled ? 0 : lacking.control) + (hasContent ? 0 : lacking.content);
    if (unproven !== record.unproven) await db.update(app, { tokenId: record.tokenId }).set({ unproven });
  }
}
