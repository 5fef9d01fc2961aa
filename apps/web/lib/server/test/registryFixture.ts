import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Issuer } from "@app-registry/issuer";
import { type AppRegistryClient, createAppRegistryClient, hashDocument, traitHash } from "@app-registry/sdk";
import { readEnvironment } from "@app-registry/server/environment";
import { deployContracts, testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { freePort } from "@app-registry/test-kit/freePort";
import { startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import { createTestClient, http, type TestClient } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll } from "vitest";
import { ISSUER_INDEX, localAccount, localPrivateKey } from "../../../../../scripts/stack/accounts.ts";
import { createRegistry, type Registry } from "../registry.ts";
import { attestingServer } from "./attestingServer.ts";

/** URL at which no server listens. */
export const UNUSED_URL = "http://127.0.0.1:18589";

/** Publisher in every test. */
export const wallet = testAccount(1);

const aService = { name: "A service", traits: ["api:rest"] };

type Registration = {
  metadata?: Record<string, unknown> & { traits: string[] };
  onChain?: boolean;
  served?: string;
  algorithm?: 0 | 1;
  /** Default: a new DID of the fixture's host. */
  did?: string;
  /** URL of the document. Default: a URL of the fixture's host. */
  dataUrl?: string;
};

/** Registry on its own chain and database, with a host that serves did.json and metadata. */
export type RegistryFixture = {
  host: DidHost;
  registry: Registry;
  /** Returns the issuer of `registry`. */
  issuer(): Promise<Issuer>;
  /** RPC URL of the chain. */
  rpcUrl: string;
  /** Test client of the chain. */
  chain: TestClient;
  /** Database of `registry`, empty except for what its server stores. */
  postgres: PostgresDatabase;
  /** Environment variables of a server of this registry. */
  variables: Record<string, string>;
  /** Creates the same registry with other variables, in the same database unless they name another. */
  registryWith(variables: Record<string, string>): Registry;
  publisher: AppRegistryClient;
  /** Client of the issuer's account, which attests without a check. */
  issuerClient: AppRegistryClient;
  /** Posts to /api/verify-and-attest. */
  post(body: unknown): Promise<Response>;
  /** Registers 1.0.0 of a new DID, whose controller the issuer has attested. */
  register(
    registration?: Registration,
  ): Promise<{ did: string; canonical: string; dataHash: string; path: string }>;
  stop(): Promise<void>;
};

/** Starts a registry before the tests of a file or block, which sets the members of the result, and stops it after them. */
export function provideRegistry(): RegistryFixture {
  const fixture = {} as RegistryFixture;
  beforeAll(async () => {
    Object.assign(fixture, await startRegistry());
  });
  afterAll(() => fixture.stop?.());
  return fixture;
}

export async function startRegistry(): Promise<RegistryFixture> {
  const folder = await mkdtemp(join(tmpdir(), "registry-"));
  const [node, host, postgres] = await Promise.all([
    startHardhatNode(await freePort()),
    startDidHost(),
    createDatabase(),
  ]);
  const issuerAccount = localAccount(ISSUER_INDEX);
  const deployment = await deployContracts(node.rpcUrl, { issuer: issuerAccount.address });
  const deploymentFile = join(folder, "31337.json");
  await writeFile(deploymentFile, JSON.stringify(deployment));
  const variables = {
    CHAIN_ID: "31337",
    RPC_URL: node.rpcUrl,
    DATABASE_URL: postgres.url,
    DEPLOYMENT_FILE: deploymentFile,
    ALLOW_LOOPBACK_DIDS: "true",
    ISSUER_PRIVATE_KEY: localPrivateKey(ISSUER_INDEX),
  };
  const registries: Registry[] = [];
  const registryWith = (others: Record<string, string>) => {
    const created = createRegistry(readEnvironment({ ...variables, ...others }));
    registries.push(created);
    return created;
  };
  const registry = registryWith({});
  const publisher = createAppRegistryClient({ deployment, ...testClients(node.rpcUrl, wallet) });
  const issuerClient = createAppRegistryClient({ deployment, ...testClients(node.rpcUrl, issuerAccount) });
  const { post, issuer } = attestingServer(registry);

  return {
    host,
    registry,
    issuer,
    rpcUrl: node.rpcUrl,
    chain: createTestClient({ chain: hardhat, mode: "hardhat", transport: http(node.rpcUrl) }),
    postgres,
    variables,
    registryWith,
    publisher,
    issuerClient,
    post,
    async register({ metadata = aService, onChain = true, served, algorithm = 0, dataUrl, ...given } = {}) {
      const { did = host.did(wallet.address) } = given;
      const attested = await issuerClient.attestDid({ did, controller: wallet.address });
      await issuerClient.waitForReceipt({ hash: attested });
      const text = JSON.stringify(metadata);
      const { canonical, dataHash } = hashDocument(text, algorithm);
      const path = `/${did.split(":").at(-1)}/metadata.json`;
      host.put(path, served ?? text);
      const hash = await publisher.mint({
        did,
        interfaces: 2,
        dataUrl: dataUrl ?? `${host.origin}${path}`,
        dataHash,
        dataHashAlgorithm: algorithm,
        version: { major: 1, minor: 0, patch: 0 },
        traitHashes: metadata.traits.map(traitHash),
        metadataJson: onChain ? canonical : "",
      });
      await publisher.waitForReceipt({ hash });
      return { did, canonical, dataHash, path };
    },
    async stop() {
      const pools = registries.flatMap(({ database, limitsDatabase }) => [database, limitsDatabase]);
      await Promise.all(pools.map((pool) => pool.end()));
      await Promise.all([node.stop(), host.close(), postgres.stop()]);
      await rm(folder, { recursive: true });
    },
  };
}
