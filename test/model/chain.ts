import { join } from "node:path";
import { AbiCoder, computeAddress, ErrorFragment, id, SigningKey } from "ethers";
import getPort from "get-port";
import { network } from "hardhat";
import { encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";
import { rootDirectory, startService, waitUntilReady } from "../../scripts/stack/processes.ts";
import type { Action, Cast, Settings } from "./actions.ts";
import { differences, encode, listQuestions, type Question } from "./answers.ts";
import { type Call, type Targets, toCall } from "./calls.ts";
import { ALL_SETTINGS, type History } from "./history.ts";
import { Rules } from "./rules.ts";

const ACCOUNTS = 7;
const ISSUERS = 9;
/** Number of fillers. Together with the issuers of a history, they can take all seats but one. */
const FILLERS = 10;
/** Number of bursts between two comparisons of all answers. The most important ones are compared after each burst. */
const RECORDS_EVERY = 6;

const GAS = 16_000_000;
/** Fixed gas price of 10 gwei, so that no request for it is needed before each transaction. */
const GAS_PRICE = "0x2540be400";
/** Number of questions per call. Longer calls are slower, because the chain records a trace of each step. */
const QUESTIONS = 16;

/** First difference between the chain and the rules. */
export interface Mismatch {
  /** Number of the burst. */
  burst: number;
  at: number;
  differences: string[];
}

const abi = AbiCoder.defaultAbiCoder();
/** Functions of `HistoryDriver`. viem encodes their long lists in a fraction of ethers' time. */
const driverAbi = parseAbi([
  "function perform((uint256 account, address target, bytes data)[] calls)",
  "function ask((address target, bytes data)[] questions)",
]);

/** Starts Anvil, which runs a history in less than half the time of Hardhat's chain, which traces every step. */
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

/** Creates a chain on which histories run in sequence, each from the same state. `stopServices` ends it. */
export async function createChain() {
  const { ethers, provider } = await startAnvil();
  const signers = await ethers.getSigners();
  const from = signers[0]?.address ?? "";
  const driver = await ethers.deployContract("HistoryDriver", [ACCOUNTS + ISSUERS]);
  await driver.waitForDeployment();
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

  const targets = new Map<Settings, Targets>();
  for (const settings of ALL_SETTINGS) {
    const { maturation, challengePeriod, maxTTL } = settings;
    const values = [driverAddress, maturation, challengePeriod, maxTTL];
    const resolver = await ethers.deployContract("ResolverWithStore", values);
    const resolverAddress = getAddress(await resolver.getAddress());
    const registry = await ethers.deployContract("AppRegistry", [resolverAddress]);
    // Anvil answers before it has mined a deployment, and the snapshot below must contain the last one.
    await registry.waitForDeployment();
    targets.set(settings, {
      resolver: { address: resolverAddress, interface: resolver.interface },
      registry: { address: getAddress(await registry.getAddress()), interface: registry.interface },
      chainId,
      numberOf: (account) => driven.indexOf(account) + 1,
      keys: new Map(keyed.map((address) => [address, key])),
    });
  }
  const [{ resolver, registry }] = [...targets.values()] as [Targets];
  const errorNames = new Map<string, string>([["0x00000000", ""]]);
  for (const { fragments } of [resolver.interface, registry.interface]) {
    for (const fragment of fragments) {
      if (ErrorFragment.isFragment(fragment)) errorNames.set(fragment.selector, fragment.name);
    }
  }
  let snapshot = await provider.request({ method: "evm_snapshot", params: [] });

  /** Performs calls in a block at that time. Returns the name of each call's error, or an empty string. */
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

  /** Encoded calls of the current history, by their questions. */
  const askings = new Map<string, Hex>();

  /** Returns the concatenated answers in hex, as of the last block. */
  async function ask(questions: Question[], to: Targets): Promise<string> {
    const asked = questions.map((question) => {
      const target = to[question.of];
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

  /** Runs a history on the chain and in the model. Returns their first difference, or `undefined`. */
  async function run(history: History, onOutcome: (action: Action, error: string) => void = () => {}) {
    await provider.request({ method: "evm_revert", params: [snapshot] });
    snapshot = await provider.request({ method: "evm_snapshot", params: [] });
    askings.clear();
    const { cast, bursts, settings } = history;
    const to = targets.get(settings);
    if (!to) throw new Error("No resolver has these settings");
    const rules = new Rules(settings);
    for (const [number, { at, actions }] of bursts.entries()) {
      const found: string[] = [];
      rules.now = at;
      const calls: Call[] = [];
      const expected: string[][] = [];
      for (const action of actions) {
        calls.push(toCall(action, to, rules));
        expected.push(rules.perform(action));
      }
      const isLast = number === bursts.length - 1;
      const dids = isLast ? cast.dids : [cast.dids[number % cast.dids.length] as string];
      const questions = listQuestions(rules, cast, dids, isLast || number % RECORDS_EVERY === 0);
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
      for (const some of portions(questions, QUESTIONS))
        found.push(...differences(some, await ask(some, to)));
      if (found.length > 0) return { burst: number, at, differences: found };
    }
    return undefined;
  }

  return { everybody, start, run };
}

function portions<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, index) => all.slice(index * size, (index + 1) * size));
}
