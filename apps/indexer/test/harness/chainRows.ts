import { createAppRegistryClient, didHash } from "@app-registry/sdk";
import { type Address, createPublicClient, getAddress, http } from "viem";
import { hardhat } from "viem/chains";
import { universe } from "./randomActions.ts";
import type { Chain } from "./stack.ts";
import type { Row } from "./tables.ts";

const lower = (address: Address) => address.toLowerCase();

/** A client that only reads. */
export const readerOf = (chain: Chain) =>
  createAppRegistryClient({
    deployment: chain.deployment,
    publicClient: createPublicClient({ chain: hardhat, transport: http(chain.rpcUrl) }),
  });

type Reader = ReturnType<typeof readerOf>;

/** The records as the registry's own reads give them, with the columns of `app` that those reads know. */
export async function readApps(reader: Reader): Promise<Row[]> {
  const rows: Row[] = [];
  const count = Number(await reader.totalSupply());
  for (let tokenId = 1n; tokenId <= count; tokenId++) {
    const { versionHistory, ...app } = await reader.getAppByTokenId(tokenId);
    const { owner, latestVersion } = await reader.getAppSummary({ did: app.did, major: app.versionMajor });
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

/** Of each DID and wallet, the attestations by issuers who are authorised now. */
export const readDidAttestations = (reader: Reader) =>
  each(universe.dids, universe.wallets, async (did, controller) =>
    (await reader.getDidAttestations({ did, controller })).map((attestation) => ({
      did_hash: didHash(did),
      controller: lower(controller),
      ...attestation,
      issuer: lower(attestation.issuer),
    })),
  );

/** Of each DID and dataHash, the attestations by issuers who are authorised now. */
export const readDataHashAttestations = (reader: Reader) =>
  each(universe.dids, universe.dataHashes, async (did, dataHash) =>
    (await reader.getDataHashAttestations({ did, dataHash })).map((attestation) => ({
      did_hash: didHash(did),
      data_hash: dataHash,
      ...attestation,
      issuer: lower(attestation.issuer),
    })),
  );

/** The challenges that run now. */
export const readChallenges = (reader: Reader) =>
  each(universe.dids, universe.wallets, async (did, incumbent) =>
    each([did], universe.wallets, async (_did, challenger) => {
      const challenge = await reader.getChallenge({ did, incumbent, challenger });
      return challenge
        ? [
            {
              did_hash: didHash(did),
              incumbent: lower(incumbent),
              challenger: lower(challenger),
              ...challenge,
            },
          ]
        : [];
    }),
  );

/** The reclaims that run now, by token. */
export async function readReclaims(reader: Reader, apps: Row[]) {
  const reclaims: Row[] = [];
  for (const { did, major, token_id } of apps) {
    const reclaim = await reader.getReclaim({ did: String(did), major: Number(major) });
    if (reclaim) {
      reclaims.push({ token_id, claimant: lower(reclaim.claimant), finishable_at: reclaim.finishableAt });
    }
  }
  return reclaims;
}

/** Of each DID and wallet, what the resolver says of it as a controller. */
export const readControllers = (reader: Reader) =>
  each(universe.dids, universe.wallets, async (did, controller) => [
    {
      did_hash: didHash(did),
      controller: lower(controller),
      ...(await reader.getController({ did, controller: getAddress(controller) })),
    },
  ]);

async function each<Value extends string, Result>(
  dids: readonly string[],
  values: readonly Value[],
  read: (did: string, value: Value) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const did of dids) for (const value of values) results.push(...(await read(did, value)));
  return results;
}
