import { join } from "node:path";
import { AbiCoder, computeAddress, ErrorFragment, id, SigningKey } from "ethers";
import getPort from "get-port";
import { network } from "hardhat";
import { encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";
import { rootDirectory, startService, waitUntilReady } from "../../scripts/stack/processes.ts";
import type { Action, Burst, Cast } from "./actions.ts";
import { differences, type Extent, encode, type Question, questionsOf } from "./answers.ts";
import { type Call, callOf, type Targets } from "./calls.ts";
import { type History, INITIAL_MATURATION } from "./history.ts";
import { Rules } from "./rules.ts";
import { DAY, endOf, runOf } from "./runs.ts";

const ACCOUNTS = 7;
const ISSUERS = 9;
/** With the issuers of a history, they take all seats but one. */
const FILLERS = 10;
/** After how many bursts `countedSince` is asked; everything is after the last, `getController` after each. */
const SINCES_EVERY = 4;

/** What happened earlier may be unknown of an issuer whose seat was given away. */
const SEEN = 89 * DAY;
const GAS = 16_000_000;
/** Named, so that nobody looks one up for each transaction: 10 gwei. */
const GAS_PRICE = "0x2540be400";
/** How many are asked at once: the chain slows down by what it notes of every step of a long call. */
const QUESTIONS = 16;

/** Where the chain and the rules differ first. */
export interface Mismatch {
  /** Number of the burst. */
  burst: number;
  at: number;
  differences: string[];
}

const abi = AbiCoder.defaultAbiCoder();
/** As `HistoryDriver` declares them. viem encodes their long lists in a fraction of ethers' time. */
const driverAbi = parseAbi([
  "function perform((uint256 account, address target, bytes data)[] calls)",
  "function ask((address target, bytes data)[] questions)",
]);

/** Anvil, which runs a history in less than half the time of Hardhat's chain: that one notes every step of a call. */
async function startAnvil() {
  const port = await getPort();
  const service = await startService({
    name: `anvil-${port}`,
    command: ["anvil", "--port", String(port), "--hardfork", "cancun", "--prune-history", "--silent"],
    logDirectory: join(rootDirectory, ".local/test"),
  });
  const connection = await network.create({
    network: "localhost",
    override: { url: `http://127.0.0.1:${port}` },
  });
  await waitUntilReady(service, async () => (await connection.ethers.provider.getBlockNumber()) === 0);
  return connection;
}

/** A chain on which histories run one after the other, each from the same state; `stopServices` ends it. */
export async function createChain() {
  const { ethers, provider } = await startAnvil();
  const signers = await ethers.getSigners();
  const from = signers[0]?.address ?? "";
  const driver = await ethers.deployContract("HistoryDriver", [ACCOUNTS + ISSUERS]);
  const driverAddress = await driver.getAddress();
  const driven: string[] = [];
  for (let i = 0; i < ACCOUNTS + ISSUERS; i++) driven.push((await driver.accounts(i)).toLowerCase());

  const key = new SigningKey(id("an issuer's key"));
  const keyed = [computeAddress(key).toLowerCase()];
  const everybody: Cast = {
    dids: ["did:web:example.com", "did:web:example.org"],
    accounts: driven.slice(0, ACCOUNTS),
    issuers: driven.slice(ACCOUNTS),
    keyed,
    fillers: Array.from(
      { length: FILLERS },
      (_, index) => `0x${(index + 0x1000).toString(16).padStart(40, "0")}`,
    ),
    dataHashes: [id("one"), id("other")],
  };
  const { chainId } = await ethers.provider.getNetwork();
  const start = (await ethers.provider.getBlock("latest"))?.timestamp ?? 0;

  const resolver = await ethers.deployContract("ResolverWithStore", [driverAddress, INITIAL_MATURATION]);
  const resolverAddress = getAddress(await resolver.getAddress());
  const registry = await ethers.deployContract("AppRegistry", [resolverAddress]);
  const registryAddress = getAddress(await registry.getAddress());
  const targets: Targets = {
    resolver: { address: resolverAddress, interface: resolver.interface },
    registry: { address: registryAddress, interface: registry.interface },
    chainId,
    numberOf: (account) => driven.indexOf(account) + 1,
    keys: new Map(keyed.map((address) => [address, key])),
  };
  const errorNames = new Map<string, string>([["0x00000000", ""]]);
  for (const { fragments } of [resolver.interface, registry.interface]) {
    for (const fragment of fragments) {
      if (ErrorFragment.isFragment(fragment)) errorNames.set(fragment.selector, fragment.name);
    }
  }
  let snapshot = await provider.request({ method: "evm_snapshot", params: [] });

  /** Performs calls in a block of that time: the error's name of each. */
  async function perform(at: number, calls: Call[]): Promise<string[]> {
    const performed = calls.map((call) => ({ ...call, account: BigInt(call.account) }));
    const data = encodeFunctionData({ abi: driverAbi, functionName: "perform", args: [performed] });
    await provider.request({ method: "evm_setNextBlockTimestamp", params: [at] });
    const transaction = { from, to: driverAddress, data, gas: GAS, gasPrice: GAS_PRICE };
    const receipt = (await provider.request({
      method: "eth_sendTransactionSync",
      params: [transaction],
    })) as {
      logs: { address: string; data: string }[];
    };
    const log = receipt.logs.findLast(({ address }) => address === driverAddress.toLowerCase());
    const [selectors] = abi.decode(["bytes4[]"], log?.data ?? "0x");
    return [...selectors].map((selector: string) => errorNames.get(selector) ?? selector);
  }

  /** Encoded before in the same history. */
  const askings = new Map<string, Hex>();

  /** The answers in hex, one after the other, as of the last block. */
  async function ask(questions: Question[]): Promise<string> {
    const asked = questions.map((question) => {
      const target = targets[question.of];
      return { target: target.address, data: encode(question, target.interface) };
    });
    const name = asked.map(({ data }) => data).join();
    const data =
      askings.get(name) ?? encodeFunctionData({ abi: driverAbi, functionName: "ask", args: [asked] });
    askings.set(name, data);
    const call = { from, to: driverAddress, data, gas: GAS };
    const result = (await provider.request({ method: "eth_call", params: [call, "latest"] })) as string;
    return abi.decode(["bytes"], result)[0].slice(2);
  }

  /** Runs a history on the chain and in the model until they differ. */
  async function run(history: History, onOutcome: (action: Action, error: string) => void = () => {}) {
    await provider.request({ method: "evm_revert", params: [snapshot] });
    snapshot = await provider.request({ method: "evm_snapshot", params: [] });
    askings.clear();
    const { cast, bursts } = history;
    const rules = new Rules(INITIAL_MATURATION);
    for (const [number, { at, actions }] of bursts.entries()) {
      const found: string[] = [];
      rules.now = at;
      const calls: Call[] = [];
      const expected: string[][] = [];
      for (const action of actions) {
        calls.push(callOf(action, targets, rules));
        expected.push(rules.perform(action));
      }
      const isLast = number === bursts.length - 1;
      const since = sinceOf(rules, bursts, number);
      const extent: Extent = {
        dids: isLast ? cast.dids : [cast.dids[number % cast.dids.length] as string],
        sinces: isLast || number % SINCES_EVERY === 0 ? [since] : [],
        withRecords: isLast,
      };
      const questions = questionsOf(rules, cast, extent);
      const errors = await perform(at, calls);
      for (const [index, action] of actions.entries()) {
        const actual = errors[index] ?? "";
        onOutcome(action, actual);
        const allowed = expected[index] ?? [];
        if (allowed.length === 0 ? actual !== "" : !allowed.includes(actual)) {
          found.push(
            `${JSON.stringify(action)}: the rules say ${allowed.join(" or ") || "done"}, the chain ${actual || "done"}`,
          );
        }
      }
      for (const some of portions(questions, QUESTIONS)) found.push(...differences(some, await ask(some)));
      if (found.length > 0) return { burst: number, at, differences: found };
    }
    return undefined;
  }

  return { everybody, start, run };
}

/** A time from which `countedSince` is asked: around the end of a run, or that of an earlier burst. */
function sinceOf(rules: Rules, bursts: readonly Burst[], number: number): number {
  const earlier = bursts[Math.floor((number * 2) / 3)]?.at ?? rules.now;
  const ends = [...rules.pairs.values()]
    .map((events) => endOf(runOf(events)))
    .filter((end) => end <= rules.now);
  const end = ends[number % Math.max(1, ends.length)] ?? rules.now;
  const since = [earlier, end - 1, end][((number / SINCES_EVERY) % 3) | 0] ?? end;
  return Math.max(since, rules.now - SEEN);
}

function portions<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size));
}
