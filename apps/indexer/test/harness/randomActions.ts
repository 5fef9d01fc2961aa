import { ContractRevertError, createAppRegistryClient, type PreparedCall } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { type Address, createPublicClient, encodeFunctionData, type Hex, http, keccak256, toHex } from "viem";
import { hardhat } from "viem/chains";
import { ISSUER_INDEX, localAccount } from "../../../../scripts/stack/accounts.ts";
import { type Random, randomFrom } from "./random.ts";
import { publication } from "./registry.ts";
import { type Chain, rpc } from "./stack.ts";

/** Every DID and account that random actions use, so that a test can read all that the chain says of them. */
export const universe = {
  dids: ["a", "b", "c", "d", "e", "f", "won", "lost"].map((name) => `did:web:${name}.random.test`),
  wallets: [1, 2, 3, 4].map((index) => localAccount(index).address as Address),
  issuers: [ISSUER_INDEX, 18, 17].map((index) => localAccount(index).address as Address),
  owner: localAccount(0).address as Address,
  dataHashes: ["x", "y", "z"].map((text) => keccak256(toHex(text))),
};

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Sends transactions from the unlocked accounts of a local chain; what the contracts refuse changes nothing. */
function actorsOf(chain: Chain, random: Random) {
  const { wallets, issuers, owner, dataHashes } = universe;
  const dids = universe.dids.slice(0, 6);
  const client = createAppRegistryClient({
    deployment: chain.deployment,
    publicClient: createPublicClient({ chain: hardhat, transport: http(chain.rpcUrl), pollingInterval: 50 }),
  });
  const send = async (from: Address, call: PreparedCall) => {
    const transaction = { from, to: call.address, data: encodeFunctionData(call), gas: toHex(8_000_000) };
    await rpc(chain.rpcUrl, "eth_sendTransaction", [transaction]).catch((error: Error) => {
      if (!/revert/.test(error.message)) throw error;
    });
  };
  const pass = async (seconds: number) => {
    await rpc(chain.rpcUrl, "evm_increaseTime", [seconds]);
    await rpc(chain.rpcUrl, "hardhat_mine", ["0x1"]);
  };
  const policy = (functionName: "addIssuer" | "removeIssuer", issuer: Address) =>
    send(owner, {
      address: chain.deployment.contracts.ResolverWithStore.address,
      abi: resolverAbi,
      functionName,
      args: [issuer],
    });
  const attest = (did: string, controller: Address, issuer = random.pick(issuers)) =>
    send(issuer, client.prepareAttestDid({ did, controller }));

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
    client.latestMajor(did).catch((error: unknown) => {
      if (error instanceof ContractRevertError && error.errorName === "AppNotFound") return 0;
      throw error;
    });
  const recordOf = async (did: string) => {
    const latest = await latestMajor(did);
    return latest === 0 ? undefined : client.getAppSummary({ did, major: 1 + random.below(latest) });
  };

  return {
    client,
    random,
    send,
    pass,
    policy,
    attest,
    latestMajor,
    release,
    recordOf,
    jsons,
    dids,
    wallets,
    issuers,
    dataHashes,
  };
}

type Actors = ReturnType<typeof actorsOf>;

/** What may happen, each with how often. */
const actions: [weight: number, act: (actors: Actors) => Promise<void>][] = [
  [6, async ({ random, attest, dids, wallets }) => attest(random.pick(dids), random.pick(wallets))],
  [
    3,
    async ({ client, random, send, dids, wallets, issuers }) =>
      send(
        random.pick(issuers),
        client.prepareRevokeDid({ did: random.pick(dids), controller: random.pick(wallets) }),
      ),
  ],
  [
    3,
    async ({ client, random, send, dids, issuers, dataHashes }) => {
      const parameters = { did: random.pick(dids), dataHash: random.pick(dataHashes) };
      const call = random.chance(0.3)
        ? client.prepareRevokeDataHash(parameters)
        : client.prepareAttestDataHash(parameters);
      await send(random.pick(issuers), call);
    },
  ],
  [
    8,
    async ({ client, random, send, latestMajor, release, dids, wallets }) => {
      const did = random.pick(dids);
      const major = (await latestMajor(did)) + 1;
      if (major < 5)
        await send(random.pick(wallets), client.prepareMint(release(did, { major, minor: 0, patch: 0 })));
    },
  ],
  [
    14,
    async ({ client, random, send, release, recordOf, dids }) => {
      const record = await recordOf(random.pick(dids));
      if (!record) return;
      const { major, minor, patch } = record.latestVersion;
      const isMinor = random.chance(0.5);
      const version = { major, minor: isMinor ? minor + 1 : minor, patch: isMinor ? 0 : patch + 1 };
      const { interfaces, dataUrl, traitHashes, ...update } = release(record.did, version);
      const call = client.prepareUpdateAppControlled({
        ...update,
        ...(isMinor && { interfaces: interfaces | record.interfaces }),
        ...(random.chance(0.7) && { dataUrl }),
        ...(random.chance(0.7) && { traitHashes }),
      });
      await send(random.pick([record.minter, record.owner]), call);
    },
  ],
  [
    5,
    async ({ client, random, send, recordOf, dids }) => {
      const record = await recordOf(random.pick(dids));
      if (!record) return;
      const { did, versionMajor: major, owner } = record;
      await send(owner, client.prepareUpdateStatus({ did, major, status: random.pick([0, 1, 2]) }));
    },
  ],
  [
    4,
    async ({ client, random, send, recordOf, dids, wallets }) => {
      const record = await recordOf(random.pick(dids));
      if (!record) return;
      const { owner: from, tokenId } = record;
      await send(from, client.prepareTransfer({ from, to: random.pick(wallets), tokenId }));
    },
  ],
  [
    3,
    async ({ client, random, send, recordOf, jsons, dids }) => {
      const record = await recordOf(random.pick(dids));
      const metadataJson = record && jsons.get(record.dataHash);
      if (!metadataJson) return;
      const { did, versionMajor: major, minter } = record;
      await send(minter, client.prepareRepublishMetadata({ did, major, metadataJson }));
    },
  ],
  [4, newcomer],
  [
    1,
    async ({ random, policy, issuers }) =>
      policy(random.chance(0.4) ? "removeIssuer" : "addIssuer", random.pick(issuers)),
  ],
  [2, async ({ random, pass }) => pass(random.below(2 * DAY))],
  [3, challenge],
  [2, reclaim],
];

/** A newcomer is attested, and whoever came first vouches for it or rejects it. */
async function newcomer({ client, random, send, attest, dids, wallets }: Actors) {
  const did = random.pick(dids);
  const [controller, other] = [random.pick(wallets), random.pick(wallets)];
  await attest(did, controller);
  const call = random.chance(0.5)
    ? client.prepareVouchController({ did, controller })
    : client.prepareRejectController({ did, controller });
  await send((random.chance(0.7) && (await client.firstController(did))) || other, call);
}

/** A challenger with two old attestations challenges an incumbent with one or two. */
async function challenge({ client, random, send, pass, attest, policy, dids, wallets, issuers }: Actors) {
  const did = random.pick(dids);
  const [incumbent, challenger] = random.chance(0.5)
    ? [wallets[0] as Address, wallets[1] as Address]
    : [wallets[2] as Address, wallets[3] as Address];
  const [first, second] = issuers as [Address, Address];
  await policy("addIssuer", first);
  await policy("addIssuer", second);
  await attest(did, challenger, first);
  await attest(did, challenger, second);
  if (random.chance(0.5)) await send(second, client.prepareRevokeDid({ did, controller: incumbent }));
  await attest(did, incumbent, first);
  await pass(2 * HOUR);
  await send(challenger, client.prepareChallengeDid({ did, incumbent }));
  if (random.chance(0.3)) return;
  await pass(HOUR + random.below(HOUR));
  await send(wallets[3] as Address, client.prepareResolveChallenge({ did, incumbent, challenger }));
}

/** Minter and holder lose the DID; another controller opens a reclaim, which is finished, given up or left open. */
async function reclaim({
  client,
  random,
  send,
  pass,
  attest,
  policy,
  recordOf,
  dids,
  wallets,
  issuers,
}: Actors) {
  const record = await recordOf(random.pick(dids));
  if (!record) return;
  const { did, versionMajor: major, owner, minter } = record;
  const claimant = wallets.find((wallet) => wallet !== owner && wallet !== minter) as Address;
  const issuer = issuers[0] as Address;
  await policy("addIssuer", issuer);
  await attest(did, claimant, issuer);
  await pass(2 * HOUR);
  for (const controller of [owner, minter]) {
    for (const by of issuers) await send(by, client.prepareRevokeDid({ did, controller }));
  }
  await send(claimant, client.prepareOpenReclaim({ did, major }));
  if (random.chance(0.2)) return;
  if (random.chance(0.3)) {
    await send(claimant, client.prepareLapseReclaim({ did, major }));
    return;
  }
  await pass(31 * DAY);
  await attest(did, claimant, issuer);
  await send(claimant, client.prepareFinishReclaim({ did, major }));
}

/** Authorises the issuers, and attests a wallet for each DID. */
export async function prepareRandomActions(chain: Chain) {
  const { policy, attest, dids, wallets, issuers } = actorsOf(chain, randomFrom(0));
  for (const issuer of issuers) await policy("addIssuer", issuer);
  for (const [index, did] of dids.entries())
    await attest(did, wallets[index % 4] as Address, issuers[index % 3]);
}

/**
 * Does `count` random things on a prepared chain, the same ones for the same seed on the same chain. Some blocks hold
 * several transactions, some none; some transactions are refused.
 */
export async function playRandomActions(chain: Chain, { seed, count }: { seed: number; count: number }) {
  const random = randomFrom(seed);
  const actors = actorsOf(chain, random);
  const bag = actions.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
  for (let done = 0; done < count; ) {
    const together = Math.min(random.chance(0.2) ? 2 + random.below(4) : 1, count - done);
    if (together > 1) await rpc(chain.rpcUrl, "evm_setAutomine", [false]);
    for (let number = 0; number < together; number++, done++) await random.pick(bag)(actors);
    if (together > 1) {
      await rpc(chain.rpcUrl, "evm_mine", []);
      await rpc(chain.rpcUrl, "evm_setAutomine", [true]);
    }
  }
}

/**
 * What chance may leave out, on DIDs that random actions don't touch: a challenge that is won and one that is lost,
 * a finished reclaim, a vouch and a rejection that hold.
 */
export async function playScenes(chain: Chain) {
  const { client, send, pass, attest, policy, release, wallets, issuers } = actorsOf(chain, randomFrom(0));
  const [won, lost] = universe.dids.slice(-2) as [string, string];
  const [incumbent, challenger, rejected] = wallets as [Address, Address, Address, Address];
  const [first, second] = issuers as [Address, Address, Address];
  await policy("addIssuer", first);
  await policy("addIssuer", second);
  await attest(won, incumbent, first);
  await attest(lost, incumbent, first);
  await attest(lost, incumbent, second);
  await send(incumbent, client.prepareMint(release(won, { major: 1, minor: 0, patch: 0 })));
  await attest(won, challenger, first);
  await attest(won, challenger, second);
  await attest(lost, challenger, first);
  await send(incumbent, client.prepareVouchController({ did: lost, controller: challenger }));
  await attest(lost, rejected, first);
  await send(incumbent, client.prepareRejectController({ did: lost, controller: rejected }));
  await pass(2 * HOUR);
  for (const did of [won, lost]) await send(challenger, client.prepareChallengeDid({ did, incumbent }));
  await pass(HOUR);
  for (const did of [won, lost]) {
    await send(challenger, client.prepareResolveChallenge({ did, incumbent, challenger }));
  }
  await send(challenger, client.prepareOpenReclaim({ did: won, major: 1 }));
  await pass(31 * DAY);
  await send(challenger, client.prepareFinishReclaim({ did: won, major: 1 }));
}
