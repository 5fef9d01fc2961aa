import { type Interface, id } from "ethers";
import type { Hex } from "viem";
import type { Cast } from "./actions.ts";
import type { Rules } from "./rules.ts";
import { isHeld, isLive, isSettled, NEVER, type Run, stoppedAt } from "./runs.ts";

/** How much is asked after a burst. */
export interface Extent {
  /** Of these DIDs. */
  dids: string[];
  sinces: number[];
  /** Also what each issuer stated, and what became of the issuers. */
  withRecords: boolean;
}

/** What is asked of one function, and every word that it should return. */
export interface Question {
  of: "resolver" | "registry";
  name: string;
  values: readonly unknown[];
  /** Each with what it says, and in hex. */
  words: { says: string; hex: string }[];
}

type Value = string | number | boolean;

/** The contract's times have 40 bits; the largest stands for never. */
const NO_TIME = "f".repeat(10);
const STATUS = { active: 1, retired: 2, distrusted: 3 };

/** What is asked after a burst, with the model's answers. */
export function questionsOf(rules: Rules, cast: Cast, { dids, sinces, withRecords }: Extent): Question[] {
  const questions: Question[] = [];
  const ask = (name: string, values: readonly unknown[], answer: Record<string, Value>) =>
    questions.push({ of: "resolver", name, values, words: wordsOf(answer) });
  /** A list of structs of static size. */
  const askList = (name: string, values: readonly unknown[], items: Record<string, Value>[]) => {
    const listed = items.flatMap(wordsOf);
    const words = [...wordsOf({ offset: 32, length: items.length }), ...listed];
    questions.push({ of: "resolver", name, values, words });
  };

  for (const did of dids) {
    const didHash = hashOf(did);
    if (withRecords) ask("isClaimed", [didHash], { isClaimed: rules.isClaimed(did) });
    for (const account of cast.accounts) {
      const pair = [didHash, account];
      ask("getController", pair, controllerView(rules, did, account));
      for (const since of sinces) {
        ask("countedSince", [...pair, since], { counted: rules.countedSince(did, account, since) });
      }
      if (!withRecords) continue;
      ask("checkDID", pair, { counts: rules.checkDID(did, account) });
      ask("ownershipScore", pair, { score: rules.ownershipScore(did, account) });
      askList("getObjections", pair, objectionViews(rules, did, account));
      askList("getDIDAttestations", pair, attestationViews(rules, rules.runs("DID", did, account)));
    }
    for (const dataHash of cast.dataHashes) {
      const pair = [didHash, dataHash];
      ask("checkDataHashAttestation", pair, { live: rules.checkDataHash(did, dataHash) });
      if (!withRecords) continue;
      const runs = rules.runs("DataHash", did, dataHash);
      askList("getDataHashAttestations", pair, attestationViews(rules, runs));
    }
  }
  for (const { tokenId, holder } of rules.records.values()) {
    questions.push({ of: "registry", name: "ownerOf", values: [tokenId], words: wordsOf({ holder }) });
  }
  if (withRecords) askList("getIssuers", [], issuerViews(rules));
  return questions;
}

function controllerView(rules: Rules, did: string, account: string) {
  const live = rules.runs("DID", did, account).filter(({ run }) => isLive(run, rules.now));
  const settlesAt = Math.min(...live.map(({ run }) => run.settlesAt));
  return {
    counts: rules.checkDID(did, account),
    attested: live.length > 0,
    objected: rules.isObjected(did, account),
    late: rules.isLate(did, account),
    settlesAt: settlesAt === NEVER ? 0 : settlesAt,
    score: rules.ownershipScore(did, account),
    standing: rules.standing(did, account),
  };
}

function objectionViews(rules: Rules, did: string, account: string) {
  return rules.objectionsTo(did, account).map((objection) => ({
    ...{ author: objection.author, objectedAt: objection.objectedAt },
    standing: rules.authorWeight(did, objection),
    inForce: rules.isInForce(did, account, objection),
  }));
}

function attestationViews({ now }: Rules, runs: { issuer: string; run: Run }[]) {
  const stated = runs.filter(({ run }) => run.statedAt > 0);
  return stated.map(({ issuer, run }) => {
    const stopped = stoppedAt(run);
    return {
      issuer,
      startedAt: run.startedAt,
      statedAt: run.statedAt,
      settlesAt: run.startedAt === 0 ? 0 : run.settlesAt,
      expiresAt: run.expiresAt,
      endedAt: stopped === NEVER ? 0 : stopped,
      vouched: run.vouched,
      live: isLive(run, now),
      settled: isSettled(run, now),
      held: isHeld(run, now),
    };
  });
}

function issuerViews({ issuers }: Rules) {
  return issuers.seated().map((issuer) => {
    const isDistrusted = issuer.distrustedSince !== NEVER;
    const isActive = issuer.stoppedAt === NEVER;
    return {
      issuer: issuer.address,
      status: isActive ? STATUS.active : isDistrusted ? STATUS.distrusted : STATUS.retired,
      addedAt: issuer.addedAt,
      distrustedSince: isDistrusted ? issuer.distrustedSince : 0,
      seatFreeAt: isActive ? 0 : issuers.seatFreeAt(issuer),
    };
  });
}

const wordsOf = (answer: Record<string, Value>) =>
  Object.entries(answer).map(([says, value]) => ({ says, hex: digits(value).padStart(64, "0") }));

function digits(value: Value): string {
  if (typeof value === "string") return value.slice(2);
  return value === NEVER ? NO_TIME : Number(value).toString(16);
}

const hashes = new Map<string, string>();
/** What the contracts know a DID by. */
export function hashOf(did: string): string {
  const hash = hashes.get(did) ?? id(did);
  hashes.set(did, hash);
  return hash;
}

const encoded = new Map<string, Hex>();
/** The call's data; most questions are asked again and again. */
export function encode({ name, values }: Question, abi: Interface): Hex {
  const question = [name, ...values].join(" ");
  const data = encoded.get(question) ?? (abi.encodeFunctionData(name, values) as Hex);
  if (name !== "countedSince") encoded.set(question, data);
  return data;
}

/** The first answers that differ from what the chain said; at most five. */
export function differences(questions: readonly Question[], hex: string): string[] {
  const expected = questions.flatMap(({ words }) => words.map((word) => word.hex)).join("");
  if (expected === hex) return [];
  const found: string[] = [];
  let at = 0;
  for (const { name, values, words } of questions) {
    for (const word of words) {
      const actual = hex.slice(at, at + 64);
      at += 64;
      if (actual === word.hex) continue;
      const asked = `${name}(${values.join(", ")}) ${word.says}`;
      found.push(`${asked}: the rules say ${plain(word.hex)}, the chain ${plain(actual)}`);
      if (found.length === 5) return found;
    }
  }
  return hex.length === at ? found : [...found, `the chain said ${hex.length - at} more digits`];
}

/** A number if it is small, else hex. */
function plain(hex: string): string {
  const short = hex.replace(/^0+/, "");
  return short.length > 12 ? `0x${short}` : String(Number(`0x${short || "0"}`));
}
