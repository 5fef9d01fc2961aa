import { createGuardedFetch, getSite } from "@app-registry/outbound";
import {
  appRegistryAbi,
  connectAppRegistry,
  didHash,
  HashAlgorithm,
  hashDocument,
  type IssuerSignature,
  type Metadata,
  requestAttestation,
  type SignedAttestation,
  traitHash,
} from "@app-registry/sdk";
import type { RegistryService } from "@app-registry/test-kit/registryService";
import { endpointsUnder, restMetadata, type TestRegistry } from "@app-registry/test-kit/testRegistry";
import { JsonRpcProvider, type Signer, Wallet } from "ethers";
import { type Address, encodeErrorResult, type PublicClient } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { inject } from "vitest";

/** Scope of the examples: a registered service, its publisher's client, and related values. */
export type ExampleScope = Awaited<ReturnType<typeof createScope>>;

const noSignature: IssuerSignature = {
  issuer: "0x00000000000000000000000000000000000000AA",
  statedAt: 0,
  deadline: 0,
  signature: "0x",
};

/** Converts an issuer's signature to the signed attestation that a web service returns. */
export const toSignedAttestation = (
  did: string,
  controller: Address,
  signature: IssuerSignature,
): SignedAttestation => ({
  schema: "did-ownership",
  did,
  controller,
  expiresAt: 0,
  signature,
});

let services = 0;

/** Publishes a new service for one example, or only has its DID attested. */
export async function createScope(
  registry: TestRegistry,
  service: RegistryService,
  { registered = true, mcpUrl = "" } = {},
) {
  const { deployment, chain } = registry;
  const { baseUrl, issuerAccount, pool } = service;
  const rpcUrl = inject("rpcUrl");
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  const controller = account.address;
  await chain.setBalance({ address: controller, value: 10n ** 20n });
  const client = await connectAppRegistry(baseUrl, { account });

  services += 1;
  const did = service.did(`example-${services}`, controller);
  const metadata = restMetadata("Weather", endpointsUnder(did)) as Metadata;
  const { canonical: metadataJson, dataHash } = hashDocument(
    JSON.stringify(metadata),
    HashAlgorithm.keccak256,
  );
  const dataUrl = `${baseUrl}/api/data-url/${did.replace("%", "%25")}/v/1.0.0`;
  const attestation = { baseUrl, did, connectedAddress: controller };
  const fromBlock = await chain.getBlockNumber();
  await registry.attest(did, controller);
  if (registered) {
    const traitHashes = ["api:rest", "weather"].map(traitHash);
    const document = {
      dataUrl,
      dataHash,
      dataHashAlgorithm: HashAlgorithm.keccak256,
      metadataJson,
      traitHashes,
    };
    const version = { major: 1, minor: 0, patch: 0 };
    const hash = await client.mint({ did, version, interfaces: 2, ...document });
    await client.waitForReceipt({ hash });
    await requestAttestation({ ...attestation, requiredSchemas: ["data-hash"] });
  }
  const newcomer = privateKeyToAccount(generatePrivateKey()).address;
  await registry.attest(did, newcomer);
  return {
    // Origin of the registry's web service.
    baseUrl,
    rpcUrl,
    deployment,
    publicClient: chain as unknown as PublicClient,
    // Client of the publisher's account.
    client,
    account,
    // Publisher's account as an ethers signer.
    signer: new Wallet(
      key,
      new JsonRpcProvider(rpcUrl, undefined, { pollingInterval: 50, cacheTimeout: -1 }),
    ) as Signer,
    // DID of a registered service: version 1.0.0, with the API interface and the traits of `metadata`.
    did,
    tokenId: registered ? await client.tokenIdOf({ did, major: 1 }) : 0n,
    owner: controller,
    // Account of the publisher, who controls the DID.
    controller,
    // Second account that is attested for the DID and waiting for control.
    newcomer,
    // End of a block, in Unix seconds.
    until: Number((await chain.getBlock()).timestamp) + 7 * 24 * 3600,
    incumbent: controller,
    challenger: newcomer,
    metadata,
    metadataJson,
    dataHash,
    dataUrl,
    // Block before the service was registered.
    fromBlock,
    // Issuer's signature that a publisher submits.
    signature: noSignature,
    // Attestation of a controller that the issuer signed.
    signedAttestation: toSignedAttestation(did, controller, noSignature),
    // Account and PostgreSQL of the web service's issuer.
    issuerAccount,
    pool,
    guardedFetch: createGuardedFetch({ allowLoopback: true }),
    siteOf: getSite,
    // Revert data of a call for an unknown DID.
    revertData: encodeErrorResult({ abi: appRegistryAbi, errorName: "AppNotFound", args: [didHash(did), 1] }),
    // URLs of a running MCP server, an A2A agent card and an OpenAPI document.
    mcpUrl,
    agentCardUrl: `${baseUrl}/.well-known/agent-card.json`,
    openApiUrl: `${baseUrl}/openapi.json`,
    // Console without output.
    console: { log: (..._values: unknown[]) => undefined },
  };
}
