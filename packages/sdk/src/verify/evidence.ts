import {
  type Client,
  createClient,
  decodeFunctionData,
  type Hex,
  hexToNumber,
  numberToHex,
  parseEventLogs,
  type RpcLog,
} from "viem";
import { getBlock } from "viem/actions";
import * as z from "zod/mini";
import { checkArguments } from "../arguments.ts";
import { readInRanges } from "../client/blockRanges.ts";
import { type AppRegistryClient, createAppRegistryClient } from "../client/createAppRegistryClient.ts";
import { getLatestBlockNumber } from "../client/getLatestBlockNumber.ts";
import type { RegistryEvent } from "../client/reads/listEvents.ts";
import { withTimeLimit } from "../client/timeLimit.ts";
import { abis, deploymentSchema, eventsAbi } from "../deployment.ts";
import { hashCanonicalDid, normalizeDid } from "../did.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import type { GetSite } from "../origin.ts";
import { livePath } from "../paths.ts";
import { addressSchema, countSchema, described, hashSchema } from "../schemas.ts";
import { outcomeSchema } from "../search/searchResult.ts";
import { formatVersion, toVersionSelector, type VersionSelector } from "../version.ts";
import type { Fact, VerificationReport } from "./report.ts";
import { readTarget, type Target } from "./target.ts";
import { verifyApp } from "./verifyApp.ts";

const factNames = ["record", "control", "content", "attested", "origin", "live"] as const;
type FactName = (typeof factNames)[number];

const fact = z.enum(factNames);
const hex = z.string().check(z.regex(/^0x[0-9a-f]*$/));
const contracts = z.record(z.keyof(deploymentSchema.shape.contracts), addressSchema);
const restsOn = described(
  z.string(),
  "What the outcome rests on: the chain, or something else that is named.",
);
const factLine = z.strictObject({ fact, outcome: outcomeSchema, reason: z.string(), restsOn });
const call = described(z.string(), "The contract and its function, or eth_getCode.");
const data = described(z.exactOptional(hex), "The calldata of eth_call. eth_getCode has none.");
const blockNumber = countSchema;
const answer = described(hex, "The answer to expect.");
const callLine = z.strictObject({ fact, call, to: addressSchema, data, blockNumber, answer });
const logLine = z.strictObject({
  ...{ fact, event: z.string(), address: addressSchema, topics: z.array(hashSchema), data: hex, blockNumber },
  ...{ blockHash: hashSchema, transactionHash: hashSchema, logIndex: countSchema },
});
const blockSchema = z.strictObject({ number: countSchema, hash: hashSchema, timestamp: countSchema });

/** Schema of {@link Evidence}. */
export const evidenceSchema = z.strictObject({
  did: described(z.string(), "The canonical DID."),
  version: described(z.string(), "The version that was checked, major.minor.patch."),
  chainId: countSchema,
  contracts: described(contracts, "The registry's contracts. Compare them with addresses that you trust."),
  block: described(blockSchema, "The block at which the chain was read. The timestamp is in Unix seconds."),
  facts: z.array(factLine),
  calls: described(z.array(callLine), "The calls that verify each fact."),
  logs: described(z.array(logLine), "The newest events about each fact."),
});

/** Facts about a version that the chain shows, with the calls and logs to check each of them against any RPC. */
export type Evidence = z.output<typeof evidenceSchema>;

export type CreateEvidenceParameters = {
  client: AppRegistryClient;
  did: string;
  /** Version, as in `verifyApp`. Default: the latest version of the latest major. */
  version?: VersionSelector | string | undefined;
  /** Returns the site of a host, for *origin*. */
  siteOf?: GetSite | undefined;
  /** Block at which to read the chain. Default: the latest. */
  blockNumber?: bigint | undefined;
  /** Time limit for all reads together, in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
};

/**
 * Collects the evidence for a service: what `verifyApp` finds on the chain alone, with the calls that it made and the
 * logs of the transactions behind them. Equal inputs at one block give equal evidence, so that anyone can collect it
 * again and compare.
 *
 * @throws {InvalidDidError | InvalidVersionError} when the DID or the version is not valid.
 * @throws {ContractRevertError} `AppNotFound`, or `VersionNotFoundError`, when the version is not registered.
 * @throws {RpcUnavailableError | RpcFailedError | TimeLimitError} when the RPC does not answer every call.
 * @example
 * const { block, calls } = await createEvidence({ client, did });
 * calls.every(({ blockNumber }) => blockNumber === block.number); // true
 */
export async function createEvidence(parameters: CreateEvidenceParameters): Promise<Evidence> {
  checkArguments("client did siteOf? blockNumber? timeoutMs?", parameters);
  const { timeoutMs = 10_000 } = parameters;
  return withTimeLimit("The chain's RPC endpoint", timeoutMs, () => collect(parameters, timeoutMs));
}

async function collect(
  { client, siteOf, ...input }: CreateEvidenceParameters,
  timeoutMs: number,
): Promise<Evidence> {
  const did = normalizeDid(input.did);
  const selector = input.version === undefined ? undefined : toVersionSelector(input.version);
  const blockNumber = input.blockNumber ?? (await getLatestBlockNumber(client));
  const [target, block] = await Promise.all([
    readTarget(client, did, selector, blockNumber),
    readBlock(client, blockNumber),
  ]);
  const { version } = target;
  const recorder = recordCalls(client);
  const [report, logs] = await Promise.all([
    // The time limit of this function ends first: a call that is late must not become a fact.
    verifyApp({ client: recorder.client, did, version, siteOf, blockNumber, timeoutMs: 2 * timeoutMs }),
    readLogs(client, target, blockNumber),
  ]);
  const { contracts, chainId } = client.deployment;
  return {
    did,
    version: formatVersion(version),
    chainId,
    contracts: {
      AppRegistry: contracts.AppRegistry.address,
      AppMetadata: contracts.AppMetadata.address,
      ResolverWithStore: contracts.ResolverWithStore.address,
    },
    block,
    facts: toFactLines(report, target),
    calls: recorder.calls(),
    logs,
  };
}

/** Reads the reference of a block. */
export async function readBlock(
  { publicClient }: Pick<AppRegistryClient, "publicClient">,
  blockNumber: bigint,
): Promise<Evidence["block"]> {
  const { hash, timestamp } = await getBlock(publicClient, { blockNumber }).catch((error: unknown) => {
    throw toAppRegistryError(error);
  });
  return { number: Number(blockNumber), hash, timestamp: Number(timestamp) };
}

const chainOnly = "The chain alone: the calls and logs of this fact.";

function toFactLines({ facts }: VerificationReport, { did, version, dataUrl }: Target): Evidence["facts"] {
  const live: Fact = {
    outcome: "unknown",
    reason: "The chain can't show if the service responds.",
    evidence: {},
  };
  const restsOn: Record<FactName, string> = {
    record: chainOnly,
    control: chainOnly,
    content:
      facts.content.outcome === "unknown"
        ? `The document that ${dataUrl} serves. Compare the hash of its canonical form (RFC 8785) with the record.`
        : `${chainOnly} The hash is that of the document in canonical form (RFC 8785).`,
    attested: chainOnly,
    origin: "The addresses in the registered document, compared with the DID by the public suffix list.",
    live: `The checks that a registry makes itself: ${livePath(did, version)}.`,
  };
  return factNames.map((fact) => {
    const { outcome, reason } = fact === "live" ? live : facts[fact];
    return { fact, outcome, reason, restsOn: restsOn[fact] };
  });
}

/** Facts that the functions of the contracts verify, and that their events are about. */
const factsByName: Readonly<Record<string, FactName>> = {
  ...{ getAppSummary: "record", AppMinted: "record", AppUpdated: "record", StatusUpdated: "record" },
  ...{ getController: "control", getDIDAttestations: "control", getIssuers: "control" },
  ...{ DIDAttested: "control", DIDRevoked: "control", DIDAttestationEnded: "control" },
  ...{ ControllerBlocked: "control", ControllerUnblocked: "control", ControllerRemoved: "control" },
  ...{ getMetadata: "content", MetadataSet: "content" },
  ...{ getDataHashAttestations: "attested", DataHashAttested: "attested" },
  ...{ DataHashRevoked: "attested", DataHashAttestationEnded: "attested", checkDID: "origin" },
};

/** Creates a client that records its calls. `calls` returns them in an order that doesn't depend on time. */
function recordCalls(client: AppRegistryClient) {
  const { deployment, publicClient } = client;
  const calls = new Map<string, Evidence["calls"][number]>();
  let failure: unknown;
  const request = async (call: { method: string; params?: unknown }, options: object) => {
    try {
      const answer: unknown = await publicClient.request(call as never, options);
      if (call.method === "eth_call" || call.method === "eth_getCode") {
        const [given, tag] = call.params as [{ to: Hex; data: Hex } | Hex, Hex];
        const { to, data } = typeof given === "string" ? { to: given } : given;
        const found = data && to && describeCall(deployment.contracts, to, data);
        const { fact, call: name } = found ?? { fact: "content" as const, call: call.method };
        const rest = { ...(data && { data }), blockNumber: hexToNumber(tag), answer: String(answer ?? "0x") };
        calls.set(`${factNames.indexOf(fact)} ${name} ${to} ${data}`, { fact, call: name, to, ...rest });
      }
      return answer;
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  const { transport } = publicClient;
  const recording = { transport: () => ({ config: transport, request }), batch: undefined };
  return {
    client: createAppRegistryClient({
      deployment,
      publicClient: createClient({ ...publicClient, ...recording } as never) as Client,
    }),
    calls() {
      if (failure) throw toAppRegistryError(failure);
      return [...calls.keys()].sort().flatMap((key) => calls.get(key) ?? []);
    },
  };
}

type ContractName = keyof typeof abis;

function describeCall(contracts: Record<ContractName, { address: Hex }>, to: Hex, data: Hex) {
  const name = (Object.keys(abis) as ContractName[]).find((one) => contracts[one].address === to);
  if (name === undefined) return undefined;
  const { functionName } = decodeFunctionData({ abi: abis[name], data });
  return { fact: factsByName[functionName] ?? ("record" as const), call: `${name}.${functionName}` };
}

/** Returns true if an event is about this version, its document, its holder or its minter. */
function isAbout({ version, owner, minter, dataHash }: Target, { eventName, args }: RegistryEvent): boolean {
  if (eventName === "AppUpdated") return args.minor === version.minor && args.patch === version.patch;
  if (eventName === "AppMinted" || eventName === "StatusUpdated") return true;
  return Object.values(args).some((value) => value === dataHash || value === owner || value === minter);
}

/** Reads the newest event of each kind, subject and author about a version. */
async function readLogs(
  { publicClient, deployment }: AppRegistryClient,
  target: Target,
  toBlock: bigint,
): Promise<Evidence["logs"]> {
  const { AppRegistry, AppMetadata, ResolverWithStore } = deployment.contracts;
  const filters = [
    { address: AppRegistry.address, topics: [null, numberToHex(target.tokenId, { size: 32 })] },
    {
      address: [AppMetadata.address, ResolverWithStore.address],
      topics: [null, hashCanonicalDid(target.did)],
    },
  ];
  const pages = filters.map((filter) =>
    readInRanges<RpcLog>({ fromBlock: BigInt(deployment.deployBlock), toBlock }, (range) => {
      const span = { fromBlock: numberToHex(range.fromBlock), toBlock: numberToHex(range.toBlock) };
      return publicClient.request({ method: "eth_getLogs", params: [{ ...filter, ...span }] });
    }),
  );
  const logs = (await Promise.all(pages)).flat();
  const newest = new Map<string, Evidence["logs"][number]>();
  for (const event of parseEventLogs({ abi: eventsAbi, logs, strict: true })) {
    const { eventName, address, topics, data, blockHash, transactionHash } = event;
    const fact = factsByName[eventName];
    if (fact === undefined || !isAbout(target, event)) continue;
    const place = { blockNumber: Number(event.blockNumber), blockHash, transactionHash };
    const log = { fact, event: eventName, address, topics: [...topics], data, ...place };
    newest.set(topics.join(), { ...log, logIndex: Number(event.logIndex) } as Evidence["logs"][number]);
  }
  return [...newest.values()].sort(
    (one, other) =>
      factNames.indexOf(one.fact) - factNames.indexOf(other.fact) ||
      one.blockNumber - other.blockNumber ||
      one.logIndex - other.logIndex,
  );
}
