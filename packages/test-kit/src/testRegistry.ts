import {
  type Account,
  type Address,
  createTestClient,
  createWalletClient,
  type Hash,
  http,
  parseEther,
  publicActions,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { inject } from "vitest";
import { resolverAbi } from "../../sdk/src/abi/index.ts";
import { createAppRegistryClient } from "../../sdk/src/client/createAppRegistryClient.ts";
import type { MintParameters } from "../../sdk/src/client/version.ts";
import { getProvenSubject } from "../../sdk/src/didMethods.ts";
import { HashAlgorithm, hashDocument } from "../../sdk/src/hash.ts";
import { traitHash } from "../../sdk/src/traits.ts";
import type { Version } from "../../sdk/src/version.ts";
import { deployContracts } from "./deployContracts.ts";

export { challengePeriod, maturation, maxTtl } from "./deployContracts.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** RPC URL of the chain on which the tests run. */
    rpcUrl: string;
    /** RPC URL of a chain with another id, see `twinRegistries`. */
    otherRpcUrl: string;
  }
}

/** The three contracts of one test file, with its own accounts, on the chain that all files share. */
export type TestRegistry = Awaited<ReturnType<typeof createTestRegistry>>;

const connect = (rpcUrl: string, chainId: number) =>
  createTestClient({
    chain: { ...hardhat, id: chainId },
    mode: "hardhat",
    transport: http(rpcUrl),
    pollingInterval: 50,
    cacheTime: 0,
  }).extend(publicActions);

let shared: Promise<TestRegistry> | undefined;

/** Returns the contracts that all files share which do not need an empty registry. */
export function testRegistry(): Promise<TestRegistry> {
  shared ??= createTestRegistry();
  return shared;
}

/** Returns a DID that no other test uses. */
export const newDid = (): string => `did:web:${generatePrivateKey().slice(2, 14)}.example.com`;

/** Deploys new contracts and adds an issuer, by default on the chain that all files share. */
export async function createTestRegistry({
  rpcUrl = inject("rpcUrl"),
  chainId = hardhat.id as number,
  ownerKey = generatePrivateKey(),
} = {}) {
  const chain = connect(rpcUrl, chainId);
  const createWallet = (account: Account) =>
    createWalletClient({ account, chain: chain.chain, transport: http(rpcUrl), pollingInterval: 50 });
  const fundedAccount = async (key = generatePrivateKey()) => {
    const account = privateKeyToAccount(key);
    await chain.setBalance({ address: account.address, value: parseEther("100") });
    return account;
  };

  const owner = createWallet(await fundedAccount(ownerKey));
  const issuing = await fundedAccount();
  const deployment = await deployContracts(rpcUrl, {
    ...{ issuer: issuing.address, owner: owner.account, chainId },
  });

  const createClient = (account: Account) => ({
    account,
    ...createAppRegistryClient({ deployment, publicClient: chain, walletClient: createWallet(account) }),
  });
  const newAccount = async () => createClient(await fundedAccount());
  const issuer = createClient(issuing);
  const publisher = await newAccount();
  /** Awaits the hash of a transaction and waits until it is confirmed. */
  const mined = async (hash: Promise<Hash>) => {
    await publisher.waitForReceipt({ hash: await hash });
  };
  const resolverCall = { address: deployment.contracts.ResolverWithStore.address, abi: resolverAbi };

  return {
    deployment,
    /**
     * Key of the account that deployed the contracts with its first transactions, so that their addresses are the same
     * on every chain.
     */
    ownerKey,
    /** Client that reads the chain and controls its clock and balances. */
    chain,
    /** Client of an account that attests. */
    issuer,
    publisher,
    newAccount,
    mined,
    addIssuer: (account: Address) =>
      mined(owner.writeContract({ ...resolverCall, functionName: "addIssuer", args: [account] })),
    retireIssuer: (account: Address) =>
      mined(owner.writeContract({ ...resolverCall, functionName: "retireIssuer", args: [account] })),
    /** Distrusts an issuer from a time on, in Unix seconds. */
    distrustIssuer(account: Address, since = 0) {
      const args = [account, BigInt(since)] as const;
      return mined(owner.writeContract({ ...resolverCall, functionName: "distrustIssuer", args }));
    },
    attest: (did: string, controller: Address) => mined(issuer.attestDid({ did, controller })),
    /** Advances the chain's clock. */
    async passTime(seconds: number) {
      await chain.increaseTime({ seconds });
      await chain.mine({ blocks: 1 });
    },
  };
}

/** Returns a REST endpoint below the subject of a DID, so that the fact *origin* passes. */
export const endpointsUnder = (did: string) => ({
  endpoints: [{ name: "REST", endpoint: `http://${getProvenSubject(did).name}/v1` }],
});

/** Returns metadata of a REST API, as a publisher writes it. */
export const restMetadata = (name = "Weather", extra: object = {}) => ({
  name,
  description: "Forecasts for every town",
  image: "https://example.com/icon.png",
  publisher: "Example Ltd",
  endpoints: [
    {
      name: "REST",
      endpoint: "https://api.example.com/v1",
      schemaUrl: "https://api.example.com/openapi.json",
    },
  ],
  traits: ["api:rest", "weather"],
  ...extra,
});

/** Parameters of a registered record. */
export type Minted = Omit<MintParameters, "version"> & { metadataJson: string; version: Version };

/** Attests the publisher for a new DID and registers it. */
export async function registerApp(
  { attest, mined, publisher }: TestRegistry,
  changes: Partial<MintParameters> = {},
): Promise<Minted> {
  const parameters = { ...mintParameters(newDid()), ...changes } as Minted;
  await attest(parameters.did, publisher.account.address);
  await mined(publisher.mint(parameters));
  return parameters;
}

/** Returns the parameters with which a publisher mints a metadata document. */
export function mintParameters(did: string, metadata: object = restMetadata()): Minted {
  const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), HashAlgorithm.keccak256);
  const traits = "traits" in metadata && Array.isArray(metadata.traits) ? metadata.traits : [];
  return {
    did,
    version: { major: 1, minor: 0, patch: 0 },
    interfaces: 2,
    dataUrl: "https://example.com/metadata.json",
    dataHash,
    dataHashAlgorithm: HashAlgorithm.keccak256,
    traitHashes: traits.map((trait) => traitHash(String(trait))),
    metadataJson: canonical,
  };
}
