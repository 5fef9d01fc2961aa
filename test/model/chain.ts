import { AbiCoder, computeAddress, ErrorFragment, id, SigningKey } from "ethers";
import { network } from "hardhat";
import type { Action, Burst } from "./actions.ts";
import { answersOf, differences, type Questions } from "./answers.ts";
import { type Call, callOf, type Targets } from "./calls.ts";
import { type Cast, type History, INITIAL_MATURATION } from "./history.ts";
import { Rules } from "./rules.ts";
import { DAY, endOf, runOf } from "./runs.ts";

const ACCOUNTS = 7;
const ISSUERS = 9;
/** With the issuers of a history, they take all seats but one. */
const FILLERS = 10;
/** After how many bursts everything is asked, and `countedSince`; `getController` is always. */
const RECORDS_EVERY = 12;
const SINCES_EVERY = 3;

/** What happened earlier may be unknown of an issuer whose seat was given away. */
const SEEN = 89 * DAY;
const GAS = 16_000_000;

/** Where the chain and the rules differ first. */
export interface Mismatch {
  /** Number of the burst. */
  burst: number;
  at: number;
  differences: string[];
}

const abi = AbiCoder.defaultAbiCoder();

/** A chain on which histories run one after the other, each from the same state. */
export async function createChain() {
  const { ethers, provider } = await network.create({ override: { allowBlocksWithSameTimestamp: true } });
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
  const resolverAddress = await resolver.getAddress();
  const registry = await ethers.deployContract("AppRegistry", [resolverAddress]);
  const registryAddress = await registry.getAddress();
  await driver.ask(resolverAddress, registryAddress);
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

  /** Performs a burst and asks everything: the error's name of each call, and the packed answers. */
  async function send(at: number, calls: Call[], cast: Cast, questions: Questions) {
    const { dids, accounts, dataHashes } = cast;
    const asked = { dids, accounts, dataHashes, majors: 2, ...questions };
    const data = driver.interface.encodeFunctionData("perform", [calls, asked]);
    await provider.request({ method: "evm_setNextBlockTimestamp", params: [at] });
    const transaction = { from, to: driverAddress, data, gas: GAS };
    const hash = await provider.request({ method: "eth_sendTransaction", params: [transaction] });
    const receipt = (await provider.request({ method: "eth_getTransactionReceipt", params: [hash] })) as {
      logs: { address: string; data: string }[];
    };
    const log = receipt.logs.findLast(({ address }) => address === driverAddress.toLowerCase());
    const [selectors, answers] = abi.decode(["bytes4[]", "bytes"], log?.data ?? "0x");
    const errors = [...selectors].map((selector: string) => errorNames.get(selector) ?? selector);
    return { errors, answers: (answers as string).slice(2) };
  }

  /** Runs a history on the chain and in the model until they differ. */
  async function run(history: History, onOutcome: (action: Action, error: string) => void = () => {}) {
    await provider.request({ method: "evm_revert", params: [snapshot] });
    snapshot = await provider.request({ method: "evm_snapshot", params: [] });
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
      const withRecords = number % RECORDS_EVERY === RECORDS_EVERY - 1 || number === bursts.length - 1;
      const withSinces = withRecords || number % SINCES_EVERY === 0;
      const questions = { sinces: withSinces ? sincesOf(rules, bursts, number) : [], withRecords };
      const { errors, answers } = await send(at, calls, cast, questions);
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
      found.push(...differences(answersOf(rules, cast, questions), answers));
      if (found.length > 0) return { burst: number, at, differences: found };
    }
    return undefined;
  }

  return { everybody, start, run };
}

/** Times from which `countedSince` is asked: around the end of a run, and since an earlier burst. */
function sincesOf(rules: Rules, bursts: readonly Burst[], number: number): number[] {
  const earlier = bursts[Math.floor((number * 2) / 3)]?.at ?? rules.now;
  const ends = [...rules.pairs.values()]
    .map((events) => endOf(runOf(events)))
    .filter((end) => end <= rules.now);
  const end = ends[number % Math.max(1, ends.length)] ?? rules.now;
  return [earlier, end - 1, end].map((since) => Math.max(since, rules.now - SEEN));
}
