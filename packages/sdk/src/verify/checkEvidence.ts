import { en } from "zod/locales";
import { checkArguments } from "../arguments.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { getLatestBlockNumber } from "../client/getLatestBlockNumber.ts";
import { isNotRegisteredError, VersionNotFoundError } from "../client/notRegistered.ts";
import { InvalidDidError } from "../did.ts";
import { RpcUnavailableError, TimeLimitError } from "../errors/networkErrors.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { WrongChainError } from "../errors/walletErrors.ts";
import { canonicalizeValue, parseJsonStrict } from "../json.ts";
import { toJsonPointer } from "../jsonValue.ts";
import type { GetSite } from "../origin.ts";
import { InvalidVersionError } from "../version.ts";
import { createEvidence, type Evidence, evidenceSchema, readBlock } from "./evidence.ts";

export type CheckEvidenceParameters = {
  /** Client of your own RPC and of contract addresses that you trust. */
  client: AppRegistryClient;
  /** JSON text of the evidence. */
  evidence: string;
  /** Returns the site of a host, for *origin*. */
  siteOf?: GetSite | undefined;
  /** True to compare facts and logs with the latest block, for an RPC without the state of older blocks. */
  atHead?: boolean | undefined;
  /** Time limit for all reads together, in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
};

/** Difference between evidence and a chain. */
export type EvidenceProblem = {
  /** JSON Pointer (RFC 6901) into the evidence. */
  pointer: string;
  message: string;
};

/** Result of {@link checkEvidence}. */
export type EvidenceCheck = {
  /** `unknown` if the RPC has no state of the block. */
  outcome: "pass" | "fail" | "unknown";
  reason: string;
  /** Block with which the evidence was compared. */
  blockNumber: number | null;
  problems: EvidenceProblem[];
  evidence: Evidence | null;
};

/**
 * Checks evidence against a chain: collects it again at the same block and compares every line. A line that differs is
 * refused with a sentence that names it.
 *
 * @throws {JsonDocumentError} when the text is not JSON.
 * @throws {RpcUnavailableError | RpcFailedError | TimeLimitError} when the RPC does not respond.
 * @throws {WrongChainError} when the client's RPC serves another chain.
 * @example
 * const evidence = canonicalizeValue(await createEvidence({ client, did }));
 * (await checkEvidence({ client, evidence })).outcome; // "pass"
 */
export async function checkEvidence(parameters: CheckEvidenceParameters): Promise<EvidenceCheck> {
  checkArguments("client evidence siteOf? atHead? timeoutMs?", parameters);
  const { client, evidence: text, atHead = false, ...options } = parameters;
  const parsed = evidenceSchema.safeParse(parseJsonStrict(text), { error: en().localeError });
  if (!parsed.success) {
    return refuse(
      parsed.error.issues.map(({ path, message }) => ({ pointer: toJsonPointer(path as string[]), message })),
    );
  }
  const given = parsed.data;
  const elsewhere = compareDeployment(client, given);
  if (elsewhere.length > 0) return refuse(elsewhere, given);
  const block = await compareBlock(client, given);
  if (block.length > 0) return refuse(block, given);

  const { did, version } = given;
  const at = atHead ? {} : { blockNumber: BigInt(given.block.number) };
  let own: Evidence;
  try {
    own = await createEvidence({ client, did, version, ...at, ...options });
  } catch (thrown) {
    const error = toAppRegistryError(thrown);
    const isOfVersion = error instanceof InvalidVersionError || error instanceof VersionNotFoundError;
    if (isOfVersion || error instanceof InvalidDidError || isNotRegisteredError(error)) {
      return refuse([{ pointer: isOfVersion ? "/version" : "", message: error.shortMessage }], given);
    }
    const isUnreached = [WrongChainError, RpcUnavailableError, TimeLimitError].some(
      (type) => error instanceof type,
    );
    // An RPC without archive state fails at an old block, and answers at the latest.
    if (atHead || isUnreached) throw error;
    await client.totalSupply();
    const reason =
      `Your RPC endpoint can't read the state of block ${given.block.number} (${error.shortMessage}) ` +
      "Use an archive endpoint, or compare with the latest block instead.";
    return { outcome: "unknown", reason, blockNumber: null, problems: [], evidence: given };
  }
  const problems = compareLines(given, own, atHead);
  if (problems.length > 0) return refuse(problems, given, own.block.number);
  const lines = own.facts.length + own.calls.length + own.logs.length;
  const except = atHead ? `, except the answers of block ${given.block.number}` : "";
  const reason = `Your chain confirms all ${lines} lines at block ${own.block.number}${except}.`;
  return { outcome: "pass", reason, blockNumber: own.block.number, problems, evidence: given };
}

const refuse = (
  problems: EvidenceProblem[],
  evidence: Evidence | null = null,
  blockNumber: number | null = null,
): EvidenceCheck => ({
  outcome: "fail",
  reason: "The evidence is not what your chain says.",
  blockNumber,
  problems,
  evidence,
});

function compareDeployment({ deployment }: AppRegistryClient, { chainId, contracts }: Evidence) {
  const own = Object.entries(deployment.contracts).map(([name, { address }]) => [name, address]);
  return [
    ...compareFields("", "The chain", { chainId }, { chainId: deployment.chainId }),
    ...compareFields("/contracts", "The contract", contracts, Object.fromEntries(own)),
  ];
}

async function compareBlock(client: AppRegistryClient, { block }: Evidence): Promise<EvidenceProblem[]> {
  const latest = await getLatestBlockNumber(client);
  if (block.number > latest) {
    const message = `Block ${block.number} is not on your chain yet, whose latest block is ${latest}.`;
    return [{ pointer: "/block/number", message }];
  }
  return compareFields("/block", "The block", block, await readBlock(client, BigInt(block.number)));
}

/** Identifies a line of each list. */
const lists = {
  facts: ({ fact }: Evidence["facts"][number]) => `the fact ${fact}`,
  calls: ({ call, fact, to, data }: Evidence["calls"][number]) =>
    `the call ${call} for ${fact}, to ${to} with ${shorten(data ?? "no data")}`,
  logs: ({ event, fact, transactionHash, logIndex }: Evidence["logs"][number]) =>
    `the event ${event} for ${fact}, log ${logIndex} of transaction ${transactionHash}`,
};

function compareLines(given: Evidence, own: Evidence, atHead: boolean): EvidenceProblem[] {
  const { did, version } = given;
  const problems = compareFields("", "The service", { did, version }, { did: own.did, version: own.version });
  for (const list of Object.keys(lists) as (keyof typeof lists)[]) {
    const name = lists[list] as (line: object) => string;
    const left = new Map<string, Record<string, unknown>>(own[list].map((line) => [name(line), line]));
    for (const [index, line] of given[list].entries()) {
      const pointer = `/${list}/${index}`;
      const found = left.get(name(line));
      left.delete(name(line));
      if (!found) {
        const message = `Your chain has no such line for this service, or the file has it twice: ${name(line)}.`;
        problems.push({ pointer, message });
      } else {
        // Answers contain times of their block, so those of another block can differ although nothing changed.
        const { blockNumber, answer } = found;
        const other = atHead && list === "calls" ? { blockNumber, answer } : {};
        problems.push(...compareFields(pointer, `In ${name(line)}`, { ...line, ...other }, found));
      }
    }
    for (const missing of left.keys()) {
      problems.push({ pointer: `/${list}`, message: `The file lacks ${missing}.` });
    }
  }
  return problems;
}

/** Lists the fields that differ, each in one sentence. */
function compareFields(
  pointer: string,
  what: string,
  given: Record<string, unknown>,
  own: Record<string, unknown>,
): EvidenceProblem[] {
  return [...new Set([...Object.keys(given), ...Object.keys(own)])].flatMap((field) => {
    const [theirs, ours] = [given[field], own[field]].map((value) =>
      value === undefined ? "nothing" : canonicalizeValue(value),
    ) as [string, string];
    if (theirs === ours) return [];
    const from = Math.max(0, [...theirs].findIndex((character, index) => character !== ours[index]) - 10);
    const difference = `${field} is ${shorten(theirs, from)} in the file and ${shorten(ours, from)} on your chain`;
    return [{ pointer: pointer + toJsonPointer([field]), message: `${what}: ${difference}.` }];
  });
}

/** Returns at most 70 characters of a text, with those from an index on. */
const shorten = (text: string, from = 0): string =>
  text.length <= 70 ? text : `${from > 0 ? "…" : ""}${text.slice(from, from + 70)}…`;
