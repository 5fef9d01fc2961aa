import { type Interface, id } from "ethers";
import type { Hex } from "viem";
import type { Cast } from "./actions.ts";
import type { Stated } from "./resolver.ts";
import { RECLAIM_FROM, RECLAIM_UNTIL, type Rules } from "./rules.ts";
import { isLive, isMatured, isOverdue, NEVER, type Run, stoppedAt } from "./runs.ts";

/** Returned word: its meaning, and its value in hex. */
interface Word {
  says: string;
  hex: string;
}

/** Call of one function, and every word that it should return. */
export interface Question {
  of: "resolver" | "registry";
  name: string;
  values: readonly unknown[];
  words: Word[];
}

type Value = string | number | boolean;

const STATUS = { active: 1, retired: 2, distrusted: 3 };

/** Returns questions about these DIDs with the model's answers. `withRecords` adds questions with longer answers. */
export function listQuestions(rules: Rules, cast: Cast, dids: string[], withRecords: boolean): Question[] {
  const { now, settings } = rules;
  const questions: Question[] = [];
  const ask = (name: string, values: readonly unknown[], answer: Record<string, Value>) =>
    questions.push({ of: "resolver", name, values, words: toWords(answer) });
  /** Adds a question whose answer is a list of structs of static size. */
  const askList = (name: string, values: readonly unknown[], items: Record<string, Value>[]) => {
    const words = [...toWords({ offset: 32, length: items.length }), ...items.flatMap(toWords)];
    questions.push({ of: "resolver", name, values, words });
  };

  for (const did of dids) {
    const didHash = computeHash(did);
    for (const address of cast.accounts) {
      const pair = [didHash, address];
      const account = rules.account(did, address);
      const block = rules.blockOn(did, address);
      ask("getController", pair, {
        controls: account.controls(now),
        inCharge: account.isInCharge(now),
        attested: account.isAttested(now),
        controlsFrom: account.controlsFrom(now),
        blockedUntil: account.blockedUntil(now),
        score: account.score(now),
        resistance: account.resistance(now),
      });
      ask("resistsReclaim", pair, { resists: account.resistsReclaim(now) });
      ask("getBlock", pair, {
        blockedAt: block?.blockedAt ?? 0,
        until: block?.until ?? 0,
        weight: block?.weight ?? 0,
      });
      if (!withRecords) continue;
      ask("checkDID", pair, { controls: account.controls(now) });
      ask("ownershipScore", pair, { score: account.score(now) });
      const views = rules.stated("DID", did, address).map((stated) => {
        const { run } = stated;
        return attestationView(stated, now, run !== undefined && account.isBlocked(run, now));
      });
      askList("getDIDAttestations", pair, views);
      for (const challenger of cast.accounts) {
        const openedAt = rules.openChallenge(did, address, challenger);
        const after = (periods: number) =>
          openedAt === undefined ? 0 : openedAt + periods * settings.challengePeriod;
        const dates = { openedAt: openedAt ?? 0, resolvableFrom: after(1), expiresAt: after(2) };
        ask("getChallenge", [didHash, address, challenger], dates);
      }
    }
    for (const dataHash of cast.dataHashes) {
      const pair = [didHash, dataHash];
      ask("checkDataHashAttestation", pair, { live: rules.checkDataHash(did, dataHash) });
      if (!withRecords) continue;
      const stated = rules.stated("DataHash", did, dataHash);
      askList(
        "getDataHashAttestations",
        pair,
        stated.map((one) => attestationView(one, now, false)),
      );
    }
    if (withRecords) ask("claimedAt", [didHash], { claimedAt: rules.claims.get(did) ?? 0 });
  }
  if (!withRecords) return questions;
  for (const [name, record] of rules.records) {
    const [did = "", major = ""] = name.split(" ");
    const askRegistry = (name: string, values: readonly unknown[], answer: Record<string, Value>) =>
      questions.push({ of: "registry", name, values, words: toWords(answer) });
    askRegistry("ownerOf", [record.tokenId], { holder: record.holder });
    askRegistry("hasMinterLost", [did, Number(major)], { lost: record.hasMinterLost });
    for (const claimant of cast.accounts) {
      const openedAt = rules.openReclaimOf(record, claimant);
      askRegistry("getReclaim", [did, Number(major), claimant], {
        openedAt: openedAt ?? 0,
        finishableFrom: openedAt === undefined ? 0 : openedAt + RECLAIM_FROM,
        expiresAt: openedAt === undefined ? 0 : openedAt + RECLAIM_UNTIL,
      });
    }
  }
  askList("getIssuers", [], issuerViews(rules));
  for (const issuer of cast.issuers) ask("isIssuer", [issuer], { active: rules.issuers.isActive(issuer) });
  return questions;
}

const orZero = (time: number) => (time === NEVER ? 0 : time);

function attestationView({ issuer, events, run }: Stated, now: number, blocked: boolean) {
  const last = events.findLast((event) => event.is !== "end");
  const is = (test: (run: Run, now: number) => boolean) => run !== undefined && test(run, now);
  return {
    issuer,
    startedAt: run?.startedAt ?? 0,
    statedAt: last?.statedAt ?? 0,
    maturesAt: run?.maturesAt ?? 0,
    expiresAt: run?.expiresAt ?? 0,
    endedAt: run ? orZero(stoppedAt(run)) : 0,
    revokedAt: last?.is === "revoke" ? last.at : 0,
    live: is(isLive),
    matured: is(isMatured),
    overdue: is(isOverdue),
    blocked,
  };
}

function issuerViews({ issuers }: Rules) {
  return issuers.seated().map((issuer) => {
    const isDistrusted = issuer.distrustedSince !== NEVER;
    const isActive = issuer.stoppedAt === NEVER;
    return {
      issuer: issuer.address,
      status: isActive ? STATUS.active : isDistrusted ? STATUS.distrusted : STATUS.retired,
      addedAt: issuer.addedAt,
      distrustedSince: orZero(issuer.distrustedSince),
      seatFreeAt: isActive ? 0 : issuers.seatFreeAt(issuer),
    };
  });
}

const toWords = (answer: Record<string, Value>): Word[] =>
  Object.entries(answer).map(([says, value]) => ({ says, hex: digits(value).padStart(64, "0") }));

const digits = (value: Value) => (typeof value === "string" ? value.slice(2) : Number(value).toString(16));

const hashes = new Map<string, string>();
/** Returns the `didHash`. */
export function computeHash(did: string): string {
  const hash = hashes.get(did) ?? id(did);
  hashes.set(did, hash);
  return hash;
}

const encoded = new Map<string, Hex>();
/** Returns the call's data, cached: most questions repeat. */
export function encode({ name, values }: Question, abi: Interface): Hex {
  const question = [name, ...values].join(" ");
  const data = encoded.get(question) ?? (abi.encodeFunctionData(name, values) as Hex);
  encoded.set(question, data);
  return data;
}

/** Returns the answers that differ from the chain's, at most five. */
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

/** Formats a word as a number if it is small, else as hex. */
function plain(hex: string): string {
  const short = hex.replace(/^0+/, "");
  return short.length > 12 ? `0x${short}` : String(Number(`0x${short || "0"}`));
}
