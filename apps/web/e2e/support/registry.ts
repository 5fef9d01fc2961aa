import {
  connectAppRegistry,
  dataHash,
  dataUrlPath,
  HashAlgorithm,
  hashDocument,
  Interfaces,
  parseVersion,
  searchApps,
  traitHash,
} from "@app-registry/sdk";
import { signStatement } from "@app-registry/test-kit/signStatement";
import { expect } from "@playwright/test";
import type { Account } from "viem";
import { testAccount, testChain } from "./chain.ts";

/** Connects to the registry of the stack under test, as an account that sends or without one. */
export const connect = (baseUrl: string | undefined, account?: Account) =>
  connectAppRegistry(baseUrl ?? "", { account });

/**
 * Waits until the index contains the chain's last block. A page may show cached data of an older block for half a
 * minute.
 */
export async function untilIndexed(baseUrl: string | undefined): Promise<void> {
  const head = Number(await testChain().getBlockNumber());
  const indexed = async () => (await searchApps({ baseUrl: baseUrl ?? "", limit: 1 })).block;
  await expect.poll(indexed).toBeGreaterThanOrEqual(head);
}

/** Returns the document that the registry serves for a version. Expects that its hash is the one on the chain. */
export async function readDocument(baseUrl: string | undefined, did: string, version: string) {
  const of = { did, version: parseVersion(version) };
  const record = await (await connect(baseUrl)).getVersionRecord(of);
  const text = await (await fetch(new URL(dataUrlPath(did, of.version), baseUrl))).text();
  expect(dataHash(text, record.dataHashAlgorithm)).toBe(record.dataHash);
  return JSON.parse(text);
}

type Control = {
  did: string;
  /** Test account that controls the DID. */
  publisher: number;
  /** Time until control expires, in seconds. Default: a year. */
  lifetime?: number;
};

/** Attests a test account for a DID of any host, as the stack's issuer would after reading that host. */
export async function attestAnyHost(baseUrl: string | undefined, { did, publisher, lifetime }: Control) {
  const account = testAccount(publisher);
  const client = await connect(baseUrl, account);
  const { deployment } = client;
  const signing = { chain: testChain(), issuer: { account: testAccount(19) }, deployment };
  const signature = await signStatement(signing, did, {
    primaryType: "AttestDID",
    value: account.address,
    ...(lifetime !== undefined && { lifetime }),
  });
  const expiresAt = lifetime === undefined ? 0 : signature.statedAt + lifetime;
  const attestation = { did, controller: account.address, expiresAt, signature };
  await client.waitForReceipt({ hash: await client.attestDidBySignature(attestation) });
  return { client, signing };
}

type Registration = Omit<Control, "publisher"> & {
  /** Any document. No form or schema of ours checks it. */
  metadata: object & { traits?: string[] | undefined };
  interfaces?: number;
  /** URL of a document that is not on the chain. Default: this stack's URL, with a copy on the chain. */
  dataUrl?: string;
  publisher?: number;
};

/** Registers 1.0.0 under a DID of any host. */
export async function registerAnyHost(
  baseUrl: string | undefined,
  { did, metadata, interfaces = Interfaces.Api, lifetime, dataUrl, publisher = 7 }: Registration,
) {
  const control = { did, publisher, ...(lifetime !== undefined && { lifetime }) };
  const { client, signing } = await attestAnyHost(baseUrl, control);
  const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
  const version = parseVersion("1.0.0");
  const record = {
    did,
    interfaces,
    dataUrl: dataUrl ?? new URL(dataUrlPath(did, version), baseUrl).href,
    dataHash,
    dataHashAlgorithm: HashAlgorithm.keccak256,
    version,
    traitHashes: (metadata.traits ?? []).map(traitHash),
    metadataJson: dataUrl === undefined ? canonical : "",
  };
  await client.waitForReceipt({ hash: await client.mint(record) });
  const content = await signStatement(signing, did, { primaryType: "AttestDataHash", value: dataHash });
  const hash = await client.attestDataHashBySignature({ did, dataHash, signature: content });
  await client.waitForReceipt({ hash });
  return client;
}
