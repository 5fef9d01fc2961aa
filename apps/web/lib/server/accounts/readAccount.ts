import { readAccountRows } from "@app-registry/index/control";
import { formatVersion } from "@app-registry/sdk";
import type { Address, Hex } from "viem";
import { getBlock } from "viem/actions";
import { z } from "zod";
import { newcomerSchema, readNewcomers } from "../../control/newcomers.ts";
import { createIndexProblem, requireIndex } from "../readIndex.ts";
import type { Registry } from "../registry.ts";

const address = newcomerSchema.shape.account;
const time = z.int();

/** Account's role in the registry, according to the search index. */
export const accountSchema = z.object({
  account: address,
  records: z
    .array(
      z.object({
        did: z.string(),
        major: z.int(),
        version: z.string(),
        tokenId: z.string(),
        status: z.literal([0, 1, 2]),
        owner: address,
        minter: address,
        name: z.string().nullable(),
      }),
    )
    .describe(
      "Records that the account holds or minted, plus every record of a DID for which issuers attest it.",
    ),
  controllers: z
    .array(z.object({ did: z.string(), account: address }))
    .describe("Other accounts with a live attestation for these DIDs."),
  newcomers: z
    .array(newcomerSchema)
    .describe("Accounts waiting for control of these DIDs, including this one."),
  blocks: z
    .array(
      z.object({
        did: z.string(),
        account: address,
        author: address.describe("The controller that made or last extended the block."),
        blockedAt: time,
        blockedUntil: time,
        weight: z.int().describe("The block no longer applies once more issuers than this back the account."),
      }),
    )
    .describe("Accounts that are blocked from control of these DIDs. The block that ends first comes first."),
  moreNewcomers: z.int().describe("Number of further accounts that may be waiting."),
  challenges: z
    .array(
      z.object({
        did: z.string(),
        incumbent: address,
        challenger: address,
        openedAt: time,
        resolvableFrom: time,
        expiresAt: time,
      }),
    )
    .describe("Open challenges for these DIDs (neither won nor expired)."),
  reclaims: z
    .array(
      z.object({
        tokenId: z.string(),
        claimant: address,
        openedAt: time,
        finishableFrom: time,
        expiresAt: time,
      }),
    )
    .describe("Open reclaims of the records (neither ended nor expired)."),
  unregistered: z.int().describe("Number of DIDs without a record for which issuers attest this account."),
});

export type Account = z.output<typeof accountSchema>;

/**
 * Reads the records that an account holds or minted, and the DIDs that it controls or waits to control.
 *
 * @param minBlock Block to wait for, such as that of the account's last transaction
 * @throws ApiProblem 503 `index-unavailable`; RpcUnavailableError or RpcFailedError.
 */
export async function readAccount(
  source: Pick<Registry, "client" | "index">,
  account: Address,
  minBlock?: number,
): Promise<Account> {
  const now = Number((await getBlock(source.client.publicClient)).timestamp);
  const { names, records, attested, challenges, reclaims, unregistered } = await requireIndex(
    source,
    "Account data comes",
    (session) => readAccountRows(session, account, now),
    { minBlock },
  );
  const withDid = <Row extends { didHash: Hex }>(rows: readonly Row[]) =>
    rows.flatMap(({ didHash, ...row }) => {
      const did = names.get(didHash);
      return did === undefined ? [] : [{ did, ...row }];
    });
  const waiting = await readNewcomers(source, [...names.values()]);
  // Without these, an account that somebody waits to take over looks safe.
  if (!waiting) throw createIndexProblem("Account data comes");
  const others = withDid(attested).filter((other) => other.account !== account);
  const isOpen = ({ expiresAt }: { expiresAt: number }) => expiresAt > now;
  return {
    account,
    records: records.map(({ didHash: _, minor, patch, tokenId, ...record }) => ({
      ...record,
      tokenId: String(tokenId),
      version: formatVersion({ major: record.major, minor, patch }),
    })),
    controllers: [...new Map(others.map((one) => [`${one.did} ${one.account}`, one])).values()],
    newcomers: waiting.newcomers,
    blocks: waiting.blocks,
    moreNewcomers: waiting.more,
    challenges: withDid(challenges).filter(isOpen),
    reclaims: reclaims.filter(isOpen),
    unregistered,
  };
}
