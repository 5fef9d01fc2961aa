import {
  createAppRegistryClient,
  dataUrlPath,
  HashAlgorithm,
  hashDocument,
  Interfaces,
  parseDeployment,
  parseVersion,
} from "@app-registry/sdk";
import type { Page } from "@playwright/test";
import { createPublicClient, createWalletClient, http } from "viem";
import { hardhat } from "viem/chains";
import { signStatement } from "../../../../packages/sdk/test/chain/signStatement.ts";
import { testAccount } from "./accounts.ts";

const chain = {
  chain: hardhat,
  transport: http(process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545"),
  pollingInterval: 100,
};

type Registration = {
  did: string;
  /** Any document: none of our forms or schemas checks it. */
  metadata: object;
  interfaces?: number;
  /** Seconds until control lapses; default a year. */
  lifetime?: number;
  /** Serves the document, which then isn't on the chain; default this stack, with a copy on the chain. */
  dataUrl?: string;
  /** Test account that publishes. */
  publisher?: number;
};

/** Registers 1.0.0 under a DID of any host, as the stack's issuer would attest it after reading that host. */
export async function registerAnyHost(
  page: Page,
  { did, metadata, interfaces = Interfaces.Api, lifetime, dataUrl, publisher = 7 }: Registration,
) {
  const deployment = parseDeployment(await (await page.request.get("/api/deployment")).text());
  const account = testAccount(publisher);
  const publicClient = createPublicClient(chain);
  const client = createAppRegistryClient({
    deployment,
    publicClient,
    walletClient: createWalletClient({ ...chain, account }),
  });
  const signing = { chain: publicClient, issuer: { account: testAccount(19) }, deployment };
  const controller = account.address;
  const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
  const version = parseVersion("1.0.0");
  const control = await signStatement(signing, did, {
    primaryType: "AttestDID",
    value: controller,
    ...(lifetime !== undefined && { lifetime }),
  });
  const expiresAt = lifetime === undefined ? 0 : control.statedAt + lifetime;
  const content = await signStatement(signing, did, { primaryType: "AttestDataHash", value: dataHash });
  const ours = new URL(dataUrlPath(did, version), (await page.request.get("/api/health")).url()).href;
  const record = {
    did,
    interfaces,
    dataUrl: dataUrl ?? ours,
    dataHash,
    dataHashAlgorithm: HashAlgorithm.keccak256,
    version,
    traitHashes: [],
    metadataJson: dataUrl === undefined ? canonical : "",
  };
  for (const send of [
    () => client.attestDidBySignature({ did, controller, expiresAt, signature: control }),
    () => client.mint(record),
    () => client.attestDataHashBySignature({ did, dataHash, signature: content }),
  ]) {
    await client.waitForReceipt({ hash: await send() });
  }
  return client;
}
