import { formatVersion, RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";
import type { Address } from "viem";
import { getBlock } from "viem/actions";
import { z } from "zod";
import { newcomerSchema } from "../control/newcomer.ts";
import { indexedAddress, pageSchema, queryIndex } from "../control/queryIndex.ts";
import { readNewcomers } from "../control/readNewcomers.ts";
import { ApiProblem } from "./problem.ts";
import type { Registry } from "./registry.ts";

/** Maximum number of records and DIDs per account. */
const MAX_RECORDS = 200;

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
 * @throws ApiProblem 503 `index-unavailable`; RpcUnavailableError or RpcFailedError.
 */
export async function readAccount(
  source: Pick<Registry, "client" | "environment">,
  account: Address,
): Promise<Account> {
  const ask = async <Answer>(query: string, variables: object, schema: z.ZodType<Answer>) => {
    const answer = await queryIndex(source.environment.indexerUrls, { query, variables }, schema);
    if (answer !== undefined) return answer;
    const detail = "Account data comes from the search index, which is unavailable.";
    throw new ApiProblem(503, "index-unavailable", "Search index unavailable", { detail, retryable: true });
  };
  const now = Number((await getBlock(source.client.publicClient)).timestamp);
  const own = await ask(
    ownQuery,
    { account: account.toLowerCase(), since: now - RENEWAL_GRACE_SECONDS, limit: MAX_RECORDS },
    ownSchema,
  );
  const attested = new Set(own.didAttestations.map(({ didHash }) => didHash));
  const hashes = [
    ...new Set([...own.owned, ...own.minted].map(({ didHash }) => didHash).concat([...attested])),
  ];
  const found = await ask(didsQuery, { didHashes: hashes, limit: MAX_RECORDS, rows: 1_000 }, didsSchema);
  const names = new Map(found.apps.map(({ didHash, did }) => [didHash, did]));
  const withDid = <Row extends { didHash: string }>(rows: readonly Row[]) =>
    rows.flatMap(({ didHash, ...row }) => {
      const did = names.get(didHash);
      return did === undefined ? [] : [{ did, ...row }];
    });
  const waiting = await readNewcomers(source, [...names.values()]);
  const others = withDid(found.liveDidAttestations).map(({ did, controller }) => ({
    did,
    account: controller,
  }));
  const apps = found.apps.filter(
    (app) => attested.has(app.didHash) || app.owner === account || app.minter === account,
  );
  const { reclaims } = await ask(
    reclaimsQuery,
    { tokenIds: apps.map(({ tokenId }) => tokenId), now, limit: MAX_RECORDS },
    reclaimsSchema,
  );
  return {
    account,
    records: apps.map(({ didHash: _, minor, patch, ...app }) => ({
      ...app,
      version: formatVersion({ major: app.major, minor, patch }),
    })),
    controllers: [...new Map(others.map((one) => [`${one.did} ${one.account}`, one])).values()].filter(
      (other) => other.account !== account,
    ),
    newcomers: waiting?.newcomers ?? [],
    blocks: waiting?.blocks ?? [],
    moreNewcomers: waiting?.more ?? 0,
    challenges: withDid(found.challenges).filter(({ expiresAt }) => expiresAt > now),
    reclaims,
    unregistered: [...attested].filter((hash) => !names.has(hash)).length,
  };
}

const hashes = pageSchema({ didHash: z.string() });
const ownSchema = z.object({ owned: hashes, minted: hashes, didAttestations: hashes });

const ownQuery = `query ($account: String!, $since: Int!, $limit: Int!) {
  owned: apps(where: { owner: $account }, orderBy: "tokenId", orderDirection: "desc", limit: $limit) {
    items { didHash }
  }
  minted: apps(where: { minter: $account }, orderBy: "tokenId", orderDirection: "desc", limit: $limit) {
    items { didHash }
  }
  didAttestations(
    where: { controller: $account, expiresAt_gt: $since, endedAt: null }
    orderBy: "statedAt", orderDirection: "desc", limit: $limit
  ) { items { didHash } }
}`;

const didsSchema = z.object({
  apps: pageSchema({
    didHash: z.string(),
    did: z.string(),
    major: z.int(),
    minor: z.int(),
    patch: z.int(),
    tokenId: z.string(),
    status: z.literal([0, 1, 2]),
    owner: indexedAddress,
    minter: indexedAddress,
    name: z.string().nullable(),
  }),
  liveDidAttestations: pageSchema({ didHash: z.string(), controller: indexedAddress }),
  challenges: pageSchema({
    didHash: z.string(),
    incumbent: indexedAddress,
    challenger: indexedAddress,
    openedAt: time,
    resolvableFrom: time,
    expiresAt: time,
  }),
});

const didsQuery = `query ($didHashes: [String], $limit: Int!, $rows: Int!) {
  apps(where: { didHash_in: $didHashes }, orderBy: "tokenId", orderDirection: "desc", limit: $limit) {
    items { didHash did major minor patch tokenId status owner minter name }
  }
  liveDidAttestations(where: { didHash_in: $didHashes }, orderBy: "startedAt", limit: $rows) {
    items { didHash controller }
  }
  challenges(
    where: { didHash_in: $didHashes, wonAt: null }, orderBy: "openedAt", orderDirection: "desc", limit: $limit
  ) { items { didHash incumbent challenger openedAt resolvableFrom expiresAt } }
}`;

const reclaimsSchema = z.object({
  reclaims: pageSchema({
    tokenId: z.string(),
    claimant: indexedAddress,
    openedAt: time,
    finishableFrom: time,
    expiresAt: time,
  }),
});

const reclaimsQuery = `query ($tokenIds: [BigInt], $now: Int!, $limit: Int!) {
  reclaims(
    where: { tokenId_in: $tokenIds, endedAt: null, expiresAt_gt: $now }
    orderBy: "openedAt", orderDirection: "desc", limit: $limit
  ) { items { tokenId claimant openedAt finishableFrom expiresAt } }
}`;
