import { createAppRegistryClient, didHash } from "@app-registry/sdk";
import { appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import type { Chain } from "@app-registry/test-kit/startIndexer";
import { type Abi, type Address, createPublicClient, decodeFunctionData, http } from "viem";
import { hardhat } from "viem/chains";
import { testData } from "./actors.ts";
import type { Row } from "./tables.ts";

const lower = (address: Address) => address.toLowerCase();
const statuses = ["unknown", "active", "retired", "distrusted"];
const dids = [...testData.dids, ...testData.sceneDids];

/** Creates a reader of the contracts. */
export function createReader({ deployment, rpcUrl }: Chain) {
  const publicClient = createPublicClient({ chain: hardhat, transport: http(rpcUrl) });
  const { AppRegistry, ResolverWithStore } = deployment.contracts;
  return {
    ...createAppRegistryClient({ deployment, publicClient }),
    publicClient,
    resolver: { address: ResolverWithStore.address, abi: resolverAbi },
    registry: { address: AppRegistry.address, abi: appRegistryAbi },
  } as const;
}

type Reader = ReturnType<typeof createReader>;

/** Reads the records from the registry, with the columns of `app` that its reads return. */
export async function readApps(reader: Reader): Promise<Row[]> {
  const rows: Row[] = [];
  const count = Number(await reader.totalSupply());
  for (let tokenId = 1n; tokenId <= count; tokenId++) {
    const { versionHistory, ...app } = await reader.getAppByTokenId(tokenId);
    const about = { did: app.did, major: app.versionMajor };
    const { owner, latestVersion } = await reader.getAppSummary(about);
    rows.push({
      token_id: String(tokenId),
      did_hash: didHash(app.did),
      did: app.did,
      major: app.versionMajor,
      minor: latestVersion.minor,
      patch: latestVersion.patch,
      interfaces: app.interfaces,
      data_url: app.dataUrl,
      data_hash: app.dataHash,
      data_hash_algorithm: app.dataHashAlgorithm,
      contract_id: app.contractId,
      fungible_token_id: app.fungibleTokenId,
      minter: lower(app.minter),
      has_minter_lost: await reader.hasMinterLost(about),
      owner: lower(owner),
      status: app.status,
      trait_hashes: [...app.traitHashes],
      minted_at: versionHistory[0]?.registeredAt,
      published_at: latestVersion.registeredAt,
      versions: versionHistory.map(({ minor, patch, registeredAt }) => [minor, patch, registeredAt]),
    });
  }
  return rows;
}

/** Reads each issuer's attestation of each DID and wallet. */
export const readDidAttestations = ({ publicClient, resolver }: Reader) =>
  each(testData.wallets, async (did, controller) => {
    const args = [didHash(did), controller] as const;
    const views = await publicClient.readContract({ ...resolver, functionName: "getDIDAttestations", args });
    return views.map(
      ({ issuer, startedAt, statedAt, maturesAt, expiresAt, endedAt, revokedAt, ...view }) => ({
        live: view.live,
        endedAt: Number(endedAt),
        revokedAt: Number(revokedAt),
        row: {
          did_hash: didHash(did),
          controller: lower(controller),
          issuer: lower(issuer),
          started_at: Number(startedAt),
          stated_at: Number(statedAt),
          matures_at: Number(maturesAt),
          expires_at: Number(expiresAt),
          ...{ matured: view.matured, blocked: view.blocked },
        },
      }),
    );
  });

/** Reads each issuer's attestation of each DID and dataHash. */
export const readDataHashAttestations = ({ publicClient, resolver }: Reader) =>
  each(testData.dataHashes, async (did, dataHash) => {
    const args = [didHash(did), dataHash] as const;
    const views = await publicClient.readContract({
      ...resolver,
      functionName: "getDataHashAttestations",
      args,
    });
    return views.map(({ issuer, startedAt, statedAt, expiresAt, revokedAt, live }) => ({
      live,
      revokedAt: Number(revokedAt),
      row: {
        did_hash: didHash(did),
        data_hash: dataHash,
        issuer: lower(issuer),
        started_at: Number(startedAt),
        stated_at: Number(statedAt),
        expires_at: Number(expiresAt),
      },
    }));
  });

/** Reads the blocks that have not ended. */
export const readBlocks = (reader: Reader) =>
  each(testData.wallets, async (did, account) => {
    const block = await reader.getBlock({ did, controller: account });
    if (!block) return [];
    const { blockedAt: blocked_at, blockedUntil: blocked_until, weight } = block;
    return [{ did_hash: didHash(did), account: lower(account), blocked_at, blocked_until, weight }];
  });

/** Reads the open challenges. */
export const readChallenges = ({ publicClient, resolver }: Reader) =>
  each(testData.wallets, async (did, incumbent) => {
    const challenges = testData.wallets.map(async (challenger) => {
      const args = [didHash(did), incumbent, challenger] as const;
      const challenge = await publicClient.readContract({ ...resolver, functionName: "getChallenge", args });
      return {
        did_hash: didHash(did),
        incumbent: lower(incumbent),
        challenger: lower(challenger),
        opened_at: Number(challenge.openedAt),
        resolvable_from: Number(challenge.resolvableFrom),
        expires_at: Number(challenge.expiresAt),
      };
    });
    return (await Promise.all(challenges)).filter(({ opened_at }) => opened_at !== 0);
  });

/** Reads the open reclaims. */
export const readReclaims = async ({ publicClient, registry }: Reader, apps: Row[]) => {
  const reclaims = apps.flatMap(({ did, major, token_id }) =>
    testData.wallets.map(async (claimant) => {
      const args = [String(did), Number(major), claimant] as const;
      const reclaim = await publicClient.readContract({ ...registry, functionName: "getReclaim", args });
      return {
        token_id,
        claimant: lower(claimant),
        opened_at: Number(reclaim.openedAt),
        finishable_from: Number(reclaim.finishableFrom),
        expires_at: Number(reclaim.expiresAt),
      };
    }),
  );
  return (await Promise.all(reclaims)).filter(({ opened_at }) => opened_at !== 0);
};

/** Reads all current and former issuers. */
export async function readIssuers({ publicClient, resolver }: Reader): Promise<Row[]> {
  const views = testData.issuers.map((issuer) =>
    publicClient.readContract({ ...resolver, functionName: "getIssuer", args: [issuer] }),
  );
  return (await Promise.all(views))
    .filter(({ status }) => status !== 0)
    .map(({ issuer, status, addedAt, distrustedSince }) => ({
      address: lower(issuer),
      status: statuses[status],
      added_at: Number(addedAt),
      distrusted_since: statuses[status] === "distrusted" ? Number(distrustedSince) : null,
    }));
}

/** Reads the time limits of the resolver, in seconds. */
export const readLimits = async ({ publicClient, resolver }: Reader) => ({
  max_ttl: Number(await publicClient.readContract({ ...resolver, functionName: "maxTTL" })),
  maturation: Number(await publicClient.readContract({ ...resolver, functionName: "maturation" })),
  challenge_period: Number(await publicClient.readContract({ ...resolver, functionName: "challengePeriod" })),
});

/** Counts the applied and refused calls of each function of the contracts. */
export async function countCalls({ publicClient, resolver, registry }: Reader) {
  const counts: Record<string, { applied: number; refused: number }> = {};
  const abis = new Map<string, Abi>([resolver, registry].map(({ address, abi }) => [lower(address), abi]));
  const head = await publicClient.getBlockNumber();
  for (let blockNumber = 1n; blockNumber <= head; blockNumber++) {
    const { transactions } = await publicClient.getBlock({ blockNumber, includeTransactions: true });
    for (const { hash, to, input } of transactions) {
      const abi = to && abis.get(lower(to));
      if (!abi) continue;
      const { functionName } = decodeFunctionData({ abi, data: input });
      const { status } = await publicClient.getTransactionReceipt({ hash });
      counts[functionName] ??= { applied: 0, refused: 0 };
      counts[functionName][status === "success" ? "applied" : "refused"]++;
    }
  }
  return counts;
}

async function each<Value extends string, Result>(
  values: readonly Value[],
  read: (did: string, value: Value) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const did of dids) {
    for (const found of await Promise.all(values.map((value) => read(did, value)))) results.push(...found);
  }
  return results;
}
