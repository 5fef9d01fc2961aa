import { createAppRegistryClient, didHash, type PreparedCall } from "@app-registry/sdk";
import { appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import { signStatement } from "@app-registry/test-kit/signStatement";
import { type Chain, rpc } from "@app-registry/test-kit/startIndexer";
import {
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  toHex,
} from "viem";
import { hardhat } from "viem/chains";
import { localAccount } from "../../../../scripts/stack/accounts.ts";
import type { Random } from "./random.ts";
import { publication } from "./registry.ts";

const getAddressAt = (index: number): Address => localAccount(index).address;

/** DIDs and accounts of random actions and scenarios, for tests that read their whole state from the chain. */
export const testData = {
  dids: ["a", "b", "c", "d", "e", "f"].map((name) => `did:web:${name}.random.test`),
  /** DIDs that only scenarios use. */
  sceneDids: ["removed", "blocked", "reclaimed", "distrusted"].map((name) => `did:web:${name}.random.test`),
  wallets: [1, 2, 3, 4, 5, 6].map(getAddressAt),
  issuers: [19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7].map(getAddressAt),
  owner: getAddressAt(0),
  dataHashes: ["x", "y", "z"].map((text) => keccak256(toHex(text))),
};

/** Values of `IResolver.IssuerStatus`. */
export const IssuerStatus = { unknown: 0, active: 1, retired: 2, distrusted: 3 };

type ResolverCall = ContractFunctionName<typeof resolverAbi, "nonpayable">;
type RegistryCall = ContractFunctionName<typeof appRegistryAbi, "nonpayable">;

/** Creates functions that send transactions from unlocked accounts of a local chain. Refused calls have no effect. */
export function createActors(chain: Chain, random: Random) {
  const { wallets, owner, issuers } = testData;
  const { AppRegistry, ResolverWithStore } = chain.deployment.contracts;
  const publicClient = createPublicClient({ chain: hardhat, transport: http(chain.rpcUrl) });
  const client = createAppRegistryClient({ deployment: chain.deployment, publicClient });

  const send = async (from: Address, call: PreparedCall) => {
    const transaction = { from, to: call.address, data: encodeFunctionData(call), gas: toHex(8_000_000) };
    await rpc(chain.rpcUrl, "eth_sendTransaction", [transaction]).catch((error: Error) => {
      if (!/revert/.test(error.message)) throw error;
    });
  };
  const resolve = <Name extends ResolverCall>(
    from: Address,
    functionName: Name,
    args: ContractFunctionArgs<typeof resolverAbi, "nonpayable", Name>,
  ) =>
    send(from, { address: ResolverWithStore.address, abi: resolverAbi, functionName, args } as PreparedCall);
  const register = <Name extends RegistryCall>(
    from: Address,
    functionName: Name,
    args: ContractFunctionArgs<typeof appRegistryAbi, "nonpayable", Name>,
  ) => send(from, { address: AppRegistry.address, abi: appRegistryAbi, functionName, args } as PreparedCall);
  const pass = async (seconds: number) => {
    await rpc(chain.rpcUrl, "evm_increaseTime", [seconds]);
    await rpc(chain.rpcUrl, "hardhat_mine", ["0x1"]);
  };
  const now = async () => Number((await publicClient.getBlock({ blockTag: "latest" })).timestamp);

  const resolver = { address: ResolverWithStore.address, abi: resolverAbi } as const;
  /** Returns the issuers with a status, in the order of `testData`. */
  const issuersThatAre = async (...statuses: number[]) => {
    const known = await Promise.all(
      issuers.map((issuer) =>
        publicClient.readContract({ ...resolver, functionName: "getIssuer", args: [issuer] }),
      ),
    );
    return known.filter(({ status }) => statuses.includes(status));
  };
  const anActiveIssuer = async () =>
    random.pick((await issuersThatAre(IssuerStatus.active)).map(({ issuer }) => issuer));
  /** Returns the wallets that control a DID. */
  const listControllers = async (did: string) => {
    const controls = await Promise.all(wallets.map((controller) => client.checkDid({ did, controller })));
    return wallets.filter((_wallet, index) => controls[index]);
  };
  /** Returns the wallets that are blocked for a DID. */
  const blockedFor = async (did: string) => {
    const blocks = await Promise.all(wallets.map((controller) => client.getBlock({ did, controller })));
    return wallets.filter((_wallet, index) => blocks[index]);
  };
  /** Returns the issuers whose attestation of a controller exists and has not ended. */
  const listAttesters = async (did: string, controller: Address) => {
    const args = [didHash(did), controller] as const;
    const views = await publicClient.readContract({ ...resolver, functionName: "getDIDAttestations", args });
    return views
      .filter(({ startedAt, endedAt }) => startedAt > 0n && endedAt === 0n)
      .map(({ issuer }) => issuer);
  };
  const attest = async (did: string, controller: Address, issuer?: Address, expiresAt = 0n) =>
    resolve(issuer ?? (await anActiveIssuer()), "attestDID", [didHash(did), controller, expiresAt]);

  /** Signs a statement as an issuer (EIP-712) and submits it from a wallet. */
  const submit = async (
    issuer: Address,
    did: string,
    statement: Omit<Parameters<typeof signStatement>[2], "lifetime">,
  ) => {
    const { primaryType, value, expiresAt = 0n } = statement;
    const account = localAccount(19 - issuers.indexOf(issuer));
    const signing = { chain: publicClient, issuer: { account }, deployment: chain.deployment };
    const { statedAt, deadline, signature } = await signStatement(signing, did, statement);
    const by = { issuer, statedAt: BigInt(statedAt), deadline: BigInt(deadline), signature };
    const from = random.pick(wallets);
    const pair = { didHash: didHash(did), controller: value, dataHash: value, expiresAt };
    if (primaryType === "AttestDID") await resolve(from, "attestDIDBySignature", [pair, by]);
    else if (primaryType === "AttestDataHash") await resolve(from, "attestDataHashBySignature", [pair, by]);
    else if (primaryType === "RevokeDID")
      await resolve(from, "revokeDIDBySignature", [pair.didHash, value, by]);
    else await resolve(from, "revokeDataHashBySignature", [pair.didHash, value, by]);
  };
  /** Adds new issuers as the owner until `count` are active. */
  const haveIssuers = async (count: number) => {
    const active = (await issuersThatAre(IssuerStatus.active)).length;
    const fresh = await issuersThatAre(IssuerStatus.unknown);
    for (const { issuer } of fresh.slice(0, Math.max(0, count - active))) {
      await resolve(owner, "addIssuer", [issuer]);
    }
    return (await issuersThatAre(IssuerStatus.active)).map(({ issuer }) => issuer);
  };

  const jsons = new Map<Hex, string>();
  const release = (did: string, version: { major: number; minor: number; patch: number }) => {
    const args = publication({
      did,
      version,
      algorithm: random.pick([0, 1]),
      interfaces: random.pick([1, 2, 3]),
      onChain: random.chance(0.6),
      metadata: {
        name: `Service ${random.below(1000)}`,
        description: random.pick(["Forecasts", "Books a journey", "Keeps tokens"]),
        traits: ["api:rest", "weather", "food", "defi"].filter(() => random.chance(0.5)),
      },
    });
    if (args.metadataJson !== undefined) jsons.set(args.dataHash, args.metadataJson);
    return args;
  };

  const latestMajor = (did: string) =>
    publicClient
      .readContract({
        address: AppRegistry.address,
        abi: appRegistryAbi,
        functionName: "latestMajor",
        args: [didHash(did)],
      })
      .catch((error: Error) => {
        if (/AppNotFound/.test(error.message)) return 0;
        throw error;
      });
  const getRecord = async (did: string) => {
    const latest = await latestMajor(did);
    return latest === 0 ? undefined : client.getAppSummary({ did, major: 1 + random.below(latest) });
  };

  return {
    ...{ client, random, send, resolve, register, pass, now, attest, submit, release, jsons },
    ...{
      blockedFor,
      attestersOf: listAttesters,
      issuersThatAre,
      anActiveIssuer,
      controllersOf: listControllers,
      haveIssuers,
      latestMajor,
      recordOf: getRecord,
    },
  };
}

export type Actors = ReturnType<typeof createActors>;
