import {
  type AppRegistryClient,
  createAppRegistryClient,
  createPublication,
  dataUrlPath,
  formatVersion,
  isSent,
  type JsonObject,
  type MintParameters,
  type Operation,
  parseVersion,
  publishApp,
  runOperation,
} from "@app-registry/sdk";
import { freePort } from "@app-registry/test-kit/freePort";
import { type HardhatNode, startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { type RegistryService, startRegistryService } from "@app-registry/test-kit/registryService";
import {
  createTestRegistry,
  mintParameters,
  registerApp,
  restMetadata,
  type TestRegistry,
} from "@app-registry/test-kit/testRegistry";
import { createWalletClient, http, type LocalAccount, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyDraft } from "./draft.ts";
import { toPublicationRequest } from "./publication.ts";

/** Publisher's request, given to both ways. */
type Wish = {
  did: string;
  version: string;
  metadata: JsonObject;
  interfaces: number;
  onChainJson: boolean;
  /** Origin of the registry's web service, if known. */
  baseUrl: string | undefined;
};

/** Current version and data URL after a publication, or the code of the error that stopped it. */
type Outcome = { version: string; dataUrl: string; sent: boolean } | { refused: string | undefined };

let node: HardhatNode;
let registry: TestRegistry;
let service: RegistryService;
let client: AppRegistryClient & { account: LocalAccount };

beforeAll(async () => {
  node = await startHardhatNode(await freePort());
  registry = await createTestRegistry({ rpcUrl: node.rpcUrl });
  service = await startRegistryService(registry);
  const account = privateKeyToAccount(generatePrivateKey());
  await registry.chain.setBalance({ address: account.address, value: parseEther("100") });
  const walletClient = createWalletClient({ account, chain: hardhat, transport: http(node.rpcUrl) });
  const { deployment, chain: publicClient } = registry;
  client = { account, ...createAppRegistryClient({ deployment, publicClient, walletClient }) };
});

afterAll(async () => {
  await service?.close();
  await node?.stop();
});

const refusal = (error: unknown) => ({ refused: (error as { code?: string }).code });

/** Ways to publish. Each returns whether it sent a transaction, or the code of its error. */
const ways: Record<string, (wish: Wish) => Promise<boolean | { refused: string | undefined }>> = {
  publishApp: (wish) =>
    publishApp({ ...wish, client }).then(({ transactionHash }) => transactionHash !== undefined, refusal),

  async wizard({ baseUrl, onChainJson, ...typed }) {
    const draft = { ...emptyDraft(), ...typed, storage: onChainJson ? ("chain" as const) : ("url" as const) };
    // A wizard always runs on a web service. Without one, only its request to the SDK is compared.
    const request = { ...toPublicationRequest(draft, { publicUrl: service.baseUrl }), baseUrl };
    let operation: Operation = createPublication(request, client.account.address);
    await runOperation(operation, {
      client,
      baseUrl,
      openSigner: async () => client,
      onEvent: (_, next) => {
        operation = next;
      },
    }).catch(() => undefined);
    return operation.problem ? { refused: operation.problem.errorName } : isSent(operation);
  },
};

let names = 0;

/** Registers a case's initial record under a new DID, publishes on top of it and returns the outcome. */
async function getOutcome(way: string, { stored, wish = {} }: Case): Promise<Outcome> {
  const did = service.did(`drift-${names++}`, client.account.address);
  if (stored) {
    const own = { ...mintParameters(did, stored.metadata ?? restMetadata()), ...stored.record };
    const link = new URL(dataUrlPath(did, own.version), service.baseUrl).href;
    const dataUrl = stored.dataUrl === "link" ? link : stored.dataUrl;
    await registerApp({ ...registry, publisher: client }, { ...own, dataUrl });
  }
  const defaults = {
    version: "1.0.1",
    metadata: restMetadata("Weather 2"),
    interfaces: 2,
    onChainJson: true,
  };
  const sent = await ways[way]?.({ baseUrl: service.baseUrl, ...defaults, ...wish, did } as Wish);
  if (typeof sent !== "boolean") return { refused: sent?.refused };
  const { latestVersion, dataUrl } = await client.getAppSummary({
    did,
    major: await client.latestMajor(did),
  });
  const version = formatVersion(latestVersion);
  const isLink = dataUrl === new URL(dataUrlPath(did, latestVersion), service.baseUrl).href;
  return { version, dataUrl: isLink ? "link" : dataUrl, sent };
}

type Case = {
  name: string;
  /** Initial record; `link` is the registry's own URL of its version. */
  stored?: { dataUrl: string; metadata?: JsonObject; record?: Partial<MintParameters> };
  wish?: Partial<Wish>;
  outcome: Outcome;
};

const own = "https://example.com/metadata.json";
const human = restMetadata("Weather", {
  screenshotUrls: ["https://example.com/1.png"],
  platforms: { web: { launchUrl: "https://example.com" } },
}) as JsonObject;
const { traits: _, ...withoutTraits } = human;
const at = (version: string) => ({ version: parseVersion(version) });

it.each<Case>([
  {
    name: "a new service",
    wish: { version: "1.0.0" },
    outcome: { version: "1.0.0", dataUrl: "link", sent: true },
  },
  {
    name: "a stored URL that names an older version",
    stored: { dataUrl: "https://example.com/v/1.0.0" },
    outcome: { refused: "data-url" },
  },
  {
    name: "a stored URL that names this version",
    stored: { dataUrl: "https://example.com/v/1.0.1" },
    outcome: { version: "1.0.1", dataUrl: "https://example.com/v/1.0.1", sent: true },
  },
  {
    name: "a stored URL without a version, with the JSON on the chain",
    stored: { dataUrl: own },
    outcome: { version: "1.0.1", dataUrl: own, sent: true },
  },
  {
    name: "the registry's own link",
    stored: { dataUrl: "link" },
    outcome: { version: "1.0.1", dataUrl: "link", sent: true },
  },
  {
    name: "the registry's own link, with the JSON off the chain",
    stored: { dataUrl: "link" },
    wish: { onChainJson: false },
    outcome: { refused: "data-url" },
  },
  {
    name: "a new service while no web service is known",
    wish: { version: "1.0.0", baseUrl: undefined },
    outcome: { refused: "data-url" },
  },
  {
    name: "the same version with the same content",
    stored: { dataUrl: "https://elsewhere.example/v/1.0.0" },
    wish: { version: "1.0.0", metadata: restMetadata() },
    outcome: { version: "1.0.0", dataUrl: "https://elsewhere.example/v/1.0.0", sent: false },
  },
  {
    name: "a lower version",
    stored: { dataUrl: own, record: at("1.2.0") },
    wish: { version: "1.1.9" },
    outcome: { refused: "version" },
  },
  {
    name: "an interface that is removed",
    stored: { dataUrl: own, metadata: human, record: { interfaces: 3 } },
    outcome: { refused: "interfaces" },
  },
  {
    name: "traits that are dropped",
    stored: { dataUrl: own, metadata: human, record: { interfaces: 1 } },
    wish: { interfaces: 1, metadata: withoutTraits },
    outcome: { refused: "traits" },
  },
])("$name has the same outcome with publishApp and the wizard", async (given) => {
  const outcomes: Record<string, Outcome> = {};
  for (const way of Object.keys(ways)) outcomes[way] = await getOutcome(way, given);
  const { outcome } = given;
  expect(outcomes).toEqual({ publishApp: outcome, wizard: outcome });
});
