import type { Cast } from "./history.ts";
import type { Rules } from "./rules.ts";
import { isHeld, isLive, isSettled, NEVER, type Run, stoppedAt } from "./runs.ts";

/** What is asked after a burst, besides what is always asked. */
export interface Questions {
  sinces: number[];
  /** Also what each issuer stated, and what became of the issuers. */
  withRecords: boolean;
}

export interface Answer {
  question: string;
  bytes: number;
  /** Without 0x, of that many bytes. */
  hex: string;
}

/** The contract's times have 40 bits; the largest stands for never. */
const NO_TIME = "f".repeat(10);
const MAJORS = [0, 1];
const STATUS = { active: 1, retired: 2, distrusted: 3 };

/** The model's answers, in the order and the encoding of `HistoryDriver.answers`. */
export function answersOf(rules: Rules, cast: Cast, { sinces, withRecords }: Questions): Answer[] {
  const answers: Answer[] = [];
  let subject = "";
  const put = (question: string, bytes: number, hex: string) =>
    answers.push({ question: `${subject} ${question}`, bytes, hex: hex.padStart(2 * bytes, "0") });
  const flag = (question: string, value: boolean) => put(question, 1, digits(value));
  const small = (question: string, value: number) => put(question, 1, digits(value));
  const time = (question: string, value: number) => put(question, 8, digits(value));
  const word = (question: string, value: string | number | boolean) => put(question, 32, digits(value));
  function list(question: string, length: number): void {
    word(`${question}: offset`, 32);
    word(`${question}: length`, length);
  }
  function records(runs: { issuer: string; run: Run }[]): void {
    const stated = runs.filter(({ run }) => run.statedAt > 0);
    list("attestations", stated.length);
    for (const { issuer, run } of stated) {
      const stopped = stoppedAt(run);
      const view = {
        issuer,
        startedAt: run.startedAt,
        statedAt: run.statedAt,
        settlesAt: run.startedAt === 0 ? 0 : run.settlesAt,
        expiresAt: run.expiresAt,
        endedAt: stopped === NEVER ? 0 : stopped,
        vouched: run.vouched,
        live: isLive(run, rules.now),
        settled: isSettled(run, rules.now),
        held: isHeld(run, rules.now),
      };
      for (const [name, value] of Object.entries(view)) word(`${name} by ${issuer}`, value);
    }
  }

  for (const did of cast.dids) {
    subject = did;
    flag("isClaimed", rules.isClaimed(did));
    for (const account of cast.accounts) {
      subject = `${did} ${account}`;
      const score = rules.ownershipScore(did, account);
      const standing = rules.standing(did, account);
      const counts = rules.checkDID(did, account);
      const live = rules.runs("DID", did, account).filter(({ run }) => isLive(run, rules.now));
      const settlesAt = Math.min(...live.map(({ run }) => run.settlesAt));
      flag("counts", counts);
      flag("attested", live.length > 0);
      flag("objected", rules.isObjected(did, account));
      flag("late", rules.isLate(did, account));
      time("settlesAt", settlesAt === NEVER ? 0 : settlesAt);
      small("score", score);
      small("standing", standing);
      for (const since of sinces) flag(`countedSince ${since}`, rules.countedSince(did, account, since));
      if (!withRecords) continue;
      flag("checkDID", counts);
      small("ownershipScore", score);
      const objections = rules.objectionsTo(did, account);
      list("objections", objections.length);
      for (const objection of objections) {
        const { author, objectedAt } = objection;
        word("objection's author", author);
        word(`objectedAt of ${author}`, objectedAt);
        word(`standing of author ${author}`, rules.authorWeight(did, objection));
        word(`in force by ${author}`, rules.isInForce(did, account, objection));
      }
      records(rules.runs("DID", did, account));
    }
    for (const dataHash of cast.dataHashes) {
      subject = `${did} ${dataHash}`;
      flag("checkDataHashAttestation", rules.checkDataHash(did, dataHash));
      if (withRecords) records(rules.runs("DataHash", did, dataHash));
    }
    for (const major of MAJORS) {
      subject = `${did} ${major}`;
      put("owner", 20, digits(rules.recordOf(did, major)?.holder ?? 0));
    }
  }
  if (!withRecords) return answers;
  subject = "issuers";
  const seated = rules.issuers.seated();
  list("seats", seated.length);
  for (const issuer of seated) {
    subject = `issuer ${issuer.address}`;
    const isDistrusted = issuer.distrustedSince !== NEVER;
    const isActive = issuer.stoppedAt === NEVER;
    word("address", issuer.address);
    word("status", isActive ? STATUS.active : isDistrusted ? STATUS.distrusted : STATUS.retired);
    word("addedAt", issuer.addedAt);
    word("distrustedSince", isDistrusted ? issuer.distrustedSince : 0);
    word("seatFreeAt", isActive ? 0 : rules.issuers.seatFreeAt(issuer));
  }
  return answers;
}

function digits(value: string | number | boolean): string {
  if (typeof value === "string") return value.slice(2);
  return value === NEVER ? NO_TIME : Number(value).toString(16);
}

/** The first answers that differ from what the chain said; at most five. */
export function differences(answers: readonly Answer[], hex: string): string[] {
  const found: string[] = [];
  let at = 0;
  for (const { question, bytes, hex: expected } of answers) {
    const actual = hex.slice(at, at + 2 * bytes);
    at += 2 * bytes;
    if (actual !== expected)
      found.push(`${question}: the rules say ${plain(expected)}, the chain ${plain(actual)}`);
    if (found.length === 5) return found;
  }
  return hex.length === at ? found : [...found, `the chain said ${hex.length - at} more digits`];
}

const plain = (hex: string) => (hex.length > 16 ? `0x${hex}` : String(Number(`0x${hex}`)));
