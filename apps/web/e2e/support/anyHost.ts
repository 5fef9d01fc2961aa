import {
  createAppRegistryClient,
  dataUrlPath,
  HashAlgorithm,
  hashDocument,
  Interfaces,
  parseDeployment,
  parseVersion,
  traitHash,
} from "@app-registry/sdk";
import { signStatement } from "@app-registry/test-kit/signStatement";
import type { Page } from "@playwright/test";
import { type Account, createPublicClient, createWalletClient, http } from "viem";
import { hardhat } from "viem/chains";
import { RPC_URL, testAccount } from "./chain.ts";

const chain = {
  chain: hardhat,
  transport: http(RPC_URL),
  pollingInterval: 100,
};

/** Creates a client that sends as an account, and the signer of the stack's issuer. */
async function connect(page: Page, account: Account) {
  const deployment = parseDeployment(
    await (await page.request.get("/api/deployment", { maxRetries: 2 })).text(),
  );
  const publicClient = createPublicClient(chain);
  const walletClient = createWalletClient({ ...chain, account });
  const client = createAppRegistryClient({ deployment, publicClient, walletClient });
  return { client, signing: { chain: publicClient, issuer: { account: testAccount(19) }, deployment } };
}

type Control = {
  did: string;
  /** Test account that controls the DID. */
  publisher: number;
  /** Time until control expires, in seconds. Default: a year. */
  lifetime?: number;
};

/** Attests a test account for a DID of any host, as the stack's issuer would after reading that host. */
export async function attestAnyHost(page: Page, { did, publisher, lifetime }: Control) {
  const account = testAccount(publisher);
  const { client, signing } = await connect(page, account);
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
  page: Page,
  { did, metadata, interfaces = Interfaces.Api, lifetime, dataUrl, publisher = 7 }: Registration,
) {
  const control = { did, publisher, ...(lifetime !== undefined && { lifetime }) };
  const { client, signing } = await attestAnyHost(page, control);
  const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
  const version = parseVersion("1.0.0");
  const ours = new URL(dataUrlPath(did, version), (await page.request.get("/api/health")).url()).href;
  const record = {
    did,
    interfaces,
    dataUrl: dataUrl ?? ours,
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
