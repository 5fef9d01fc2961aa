import {
  type AppRegistryClient,
  canonicalizeValue,
  dataHash,
  dataUrlPath,
  formatVersion,
  HashAlgorithm,
  type Metadata,
  normalizeDid,
  searchApps,
  traitHash,
  type Version,
} from "@app-registry/sdk";
import type { Address, Hex } from "viem";

export interface Service {
  did: string;
  version: Version;
  interfaces: number;
  metadata: Metadata;
  contractId?: string;
  algorithm?: HashAlgorithm;
}

interface RegisterParameters {
  client: AppRegistryClient;
  webUrl: string;
  publisher: Address;
  service: Service;
  onStep?: (message: string) => void;
}

/**
 * Registers a service as the wizard does: proves the DID, mints, has the dataHash attested, and waits until search
 * finds it.
 */
export async function registerService(parameters: RegisterParameters): Promise<Hex> {
  const { client, webUrl, publisher, service, onStep = () => {} } = parameters;
  const did = normalizeDid(service.did);
  const { version, metadata, interfaces } = service;

  onStep(`Proving that ${publisher} controls ${did}`);
  const control = await verifyAndAttest(webUrl, { did, connectedAddress: publisher });
  onStep(`The registry's issuer says: ${control.status}`);

  const metadataJson = canonicalizeValue(metadata);
  const algorithm = service.algorithm ?? HashAlgorithm.keccak256;
  const hash = dataHash(metadataJson, algorithm);
  onStep(`Minting version ${formatVersion(version)} with dataHash ${hash}`);
  const transaction = await client.mint({
    did,
    interfaces,
    dataUrl: new URL(dataUrlPath(did, version), webUrl).href,
    dataHash: hash,
    dataHashAlgorithm: algorithm,
    fungibleTokenId: "",
    contractId: service.contractId ?? "",
    version,
    traitHashes: (metadata.traits ?? []).map(traitHash),
    metadataJson,
  });
  const receipt = await client.waitForReceipt({ hash: transaction });
  onStep(`Minted in block ${receipt.blockNumber} for ${receipt.gasUsed} gas`);

  const content = await verifyAndAttest(webUrl, {
    did,
    connectedAddress: publisher,
    requiredSchemas: ["data-hash"],
  });
  onStep(`The dataHash is ${content.status}`);
  await untilFound(webUrl, did);
  onStep("Search finds it");
  return transaction;
}

async function verifyAndAttest(webUrl: string, body: Record<string, unknown>): Promise<{ status: string }> {
  const response = await fetch(new URL("/api/verify-and-attest", webUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { ok: boolean; status: string; detail?: string };
  if (!answer.ok)
    throw new Error(`verify-and-attest: ${answer.status}: ${answer.detail ?? response.statusText}`);
  return answer;
}

const INDEX_SECONDS = 60;

async function untilFound(webUrl: string, did: string): Promise<void> {
  const deadline = Date.now() + INDEX_SECONDS * 1_000;
  while (Date.now() < deadline) {
    const { results } = await searchApps({ baseUrl: webUrl, did });
    if (results.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`Search did not find ${did} within ${INDEX_SECONDS} s`);
}
