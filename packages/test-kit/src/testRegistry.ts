import {
  type Account,
  type Address,
  createTestClient,
  createWalletClient,
  type Hash,
  type Hex,
  http,
  parseEther,
  publicActions,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { inject } from "vitest";
import { resolverAbi } from "../../sdk/src/abi/index.ts";
import {
  type AppRegistryClient,
  createAppRegistryClient,
} from "../../sdk/src/client/createAppRegistryClient.ts";
import type { MintParameters } from "../../sdk/src/client/writes/mint.ts";
import type { Deployment } from "../../sdk/src/deployment.ts";
import { HashAlgorithm, hashDocument } from "../../sdk/src/hash.ts";
import { getProvenSubject } from "../../sdk/src/origin.ts";
import { traitHash } from "../../sdk/src/traits.ts";
import type { Version } from "../../sdk/src/version.ts";
import { deployContracts } from "./deployContracts.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The chain that the tests run against. */
    rpcUrl: string;
    /** A chain of another id, see `twinRegistries`. */
    otherRpcUrl: string;
  }
}

/** Time until a later attestation matures in the tests' resolver, in seconds. */
export const maturation = 3600;

/** Time until a challenge can be resolved in the tests' resolver, in seconds. */
export const challengePeriod = 7 * 24 * 3600;

/** Longest lifetime of an attestation in the tests' resolver, in seconds. */
export const maxTtl = 365 * 24 * 3600;

/** The three contracts of one test file, with accounts of its own, on the chain that all files share. */
export type TestRegistry = {
  deployment: Deployment;
  /** Deployed the contracts, from its first transaction on: so their addresses are the same on every chain. */
  ownerKey: Hex;
  /** Chain reads, and control of its clock and balances. */
  chain: TestChain;
  /** Client of an account that attests. */
  issuer: AppRegistryClient & { account: Account };
  /** Client of an account that publishes. */
  publisher: AppRegistryClient & { account: Account };
  /** A funded account of its own, with its client. */
  newAccount(): Promise<AppRegistryClient & { account: Account }>;
  /** Sends a write and waits until it is mined. */
  mined(hash: Promise<Hash>): Promise<void>;
  /** Attests a controller by the issuer. */
  attest(did: string, controller: Address): Promise<void>;
  /** Moves the chain's clock. */
  passTime(seconds: number): Promise<void>;
  /** Authorises an issuer, by the resolver's owner. */
  addIssuer(issuer: Address): Promise<void>;
  /** Ends an issuer's right to attest, by the resolver's owner. */
  retireIssuer(issuer: Address): Promise<void>;
  /** Voids what an issuer stated at a time or later, by the resolver's owner; by default everything it ever stated. */
  distrustIssuer(issuer: Address, since?: number): Promise<void>;
};

type TestChain = ReturnType<typeof connect>;

const connect = (rpcUrl: string, chainId: number) =>
  createTestClient({
    chain: { ...hardhat, id: chainId },
    mode: "hardhat",
    transport: http(rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions);

let shared: Promise<TestRegistry> | undefined;

/** The contracts that all files share which need no empty registry. */
export function testRegistry(): Promise<TestRegistry> {
  shared ??= createTestRegistry();
  return shared;
}

/** A DID that no other test uses. */
export const newDid = (): string => `did:web:${generatePrivateKey().slice(2, 14)}.example.com`;

/** Deploys contracts of their own and authorises an issuer; by default on the chain that all files share. */
export async function createTestRegistry({
  rpcUrl = inject("rpcUrl"),
  chainId = hardhat.id as number,
  ownerKey = generatePrivateKey(),
} = {}): Promise<TestRegistry> {
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
    ...{ issuer: issuing.address, maturation, challengePeriod, maxTtl, owner: owner.account, chainId },
  });

  const createClient = (account: Account) => ({
    account,
    ...createAppRegistryClient({ deployment, publicClient: chain, walletClient: createWallet(account) }),
  });
  const newAccount = async () => createClient(await fundedAccount());
  const issuer = createClient(issuing);
  const publisher = await newAccount();
  const mined = async (hash: Promise<Hash>) => {
    await publisher.waitForReceipt({ hash: await hash });
  };
  const resolverCall = { address: deployment.contracts.ResolverWithStore.address, abi: resolverAbi };

  return {
    deployment,
    ownerKey,
    chain,
    issuer,
    publisher,
    newAccount,
    mined,
    addIssuer: (account) =>
      mined(owner.writeContract({ ...resolverCall, functionName: "addIssuer", args: [account] })),
    retireIssuer: (account) =>
      mined(owner.writeContract({ ...resolverCall, functionName: "retireIssuer", args: [account] })),
    distrustIssuer: (account, since = 0) =>
      mined(
        owner.writeContract({
          ...resolverCall,
          functionName: "distrustIssuer",
          args: [account, BigInt(since)],
        }),
      ),
    attest: (did, controller) => mined(issuer.attestDid({ did, controller })),
    async passTime(seconds) {
      await chain.increaseTime({ seconds });
      await chain.mine({ blocks: 1 });
    },
  };
}

/** A REST endpoint below what a DID names, so that the fact *origin* passes. */
export const endpointsUnder = (did: string) => ({
  endpoints: [{ name: "REST", endpoint: `http://${getProvenSubject(did).name}/v1` }],
});

/** Metadata of a REST API, as a publisher writes it. */
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

/** What was registered. */
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

/** What a publisher mints for a metadata document. */
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
