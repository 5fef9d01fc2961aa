import { type Blocks, ChainModel, type Difference } from "./chainModel.ts";
import type { Answer, ChainVersion, Disturbance, Evidence, MemorySeries } from "./evidence.ts";

/** What is wrong, by the promise that it breaks. */
export interface Finding {
  kind:
    | "wrong answer"
    | "failed read"
    | "lost write"
    | "duplicate write"
    | "issuer"
    | "memory"
    | "connections";
  text: string;
}

/** The slope of a process's memory over the second half of its life. */
interface Growth {
  part: string;
  start: number;
  minutes: number;
  /** What it keeps at the end, and by how many megabytes a minute that grows. */
  megabytes: number;
  slope: number;
  /** Megabytes that it holds at the end. */
  resident: number;
  judged: boolean;
}

export interface Verdict {
  findings: Finding[];
  answers: Record<string, { judged: number; failed: number }>;
  failures: Record<string, number>;
  /** Answers that were true of blocks that a reorganisation had replaced, before the index had followed it. */
  ofReplacedBlocks: number;
  /** Answers of the index whose rows were of a later block than the one that they name. */
  ofLaterBlocks: number;
  /** Answers that ended early because their process was killed, and were asked for again. */
  cutOff: number;
  attested: number;
  growth: Growth[];
}

/** Megabytes a minute that what a process keeps may grow by. A leak of 1 MB a minute takes 1.4 GB a day. */
const GROWTH_BOUND = 1;
/** Minutes over which a slope says something: below, the load of the moment decides it. */
const GROWTH_MINUTES = 8;
/** A chain in memory grows with every block, and PostgreSQL's shared memory counts once touched. */
const GROWING = new Set(["chain", "database"]);

/**
 * What may make a read fail, with a retryable problem document, until every part answers again. An indexer that is started
 * again locks its tables for moments: what only the index knows is then `index-unavailable`.
 */
const excuses: Partial<Record<Disturbance["kind"], RegExp>> = {
  chain: /./,
  database: /./,
  writer: /^index-unavailable$/,
  // While Anvil builds the other chain, it has fewer blocks than it had.
  reorg: /^(chain-unavailable|unread)$/,
};

/** Milliseconds for which a web process may know a block's content (docs/architecture.md), and requests overlap. */
const REMEMBERED = 2_000;

/** Compares everything that a soak saw with the chain, and with what the registry promises. */
export function judge(evidence: Evidence): Verdict {
  const issuers = [...new Set(evidence.chains.flatMap(({ events }) => events.map(({ args }) => args.issuer)))]
    .filter((issuer) => issuer !== undefined)
    .map((issuer) => String(issuer).toLowerCase());
  const answered = judgeAnswers(evidence, issuers);
  const growth = evidence.memory.map(growthOf);
  const grown = growth.filter(({ judged, slope }) => judged && slope > GROWTH_BOUND);
  const { most, budget } = evidence.connections;
  return {
    ...answered,
    findings: [
      ...answered.findings,
      ...judgeFailures(evidence),
      ...judgeAttestations(evidence),
      ...judgeIssuer(evidence),
      ...grown.map(({ part, slope }) => ({
        kind: "memory" as const,
        text: `${part} grows by ${slope.toFixed(2)} MB a minute`,
      })),
      ...(most > budget
        ? [{ kind: "connections" as const, text: `${most} PostgreSQL connections, of ${budget}` }]
        : []),
    ],
    cutOff: evidence.answers.filter(({ wasCut }) => wasCut).length,
    failures: countFailures(evidence.answers),
    attested: evidence.attempts.filter(({ attestations }) => attestations.length > 0).length,
    growth,
  };
}

function judgeAnswers(evidence: Evidence, issuers: readonly string[]) {
  const findings: Finding[] = [];
  const answers: Verdict["answers"] = {};
  let ofReplacedBlocks = 0;
  let ofLaterBlocks = 0;
  const models = evidence.chains.map(({ events }) => new ChainModel(events, issuers));
  const settled = settledTimes(evidence);
  const names = new Set(evidence.names);
  for (const answer of evidence.answers) {
    answers[answer.route] ??= { judged: 0, failed: 0 };
    const count = answers[answer.route] as { judged: number; failed: number };
    if (answer.failure) {
      count.failed += 1;
      continue;
    }
    count.judged += 1;
    const chains = chainsOf(answer, evidence.chains, settled);
    const differences = chains.map((number) => {
      const [model, chain] = [models[number] as ChainModel, evidence.chains[number] as ChainVersion];
      return differencesOf(answer, model, blocksOf(answer, chain, evidence), names);
    });
    const right = differences.find(({ found }) => found.length === 0);
    if (right && right !== differences[0]) ofReplacedBlocks += 1;
    if (right && answer.place?.kind === "exact" && right.block > answer.place.block) ofLaterBlocks += 1;
    if (!right) {
      const wrong = differences[0]?.found.slice(0, 3).join("; ");
      const after = ((answer.startedAt - evidence.startedAt) / 1_000).toFixed(1);
      const text = `${answer.path} after ${after} s: ${wrong} (${JSON.stringify(answer.place)})`;
      findings.push({ kind: "wrong answer", text });
    }
  }
  return { findings, answers, ofReplacedBlocks, ofLaterBlocks };
}

/**
 * When the index had certainly followed each reorganisation: at the first answer of a block that only the chain after it
 * has. From then on it must not answer from the replaced blocks.
 */
function settledTimes({ chains, answers }: Evidence): number[] {
  return chains.map((_, number) => {
    const before = chains[number - 1];
    if (!before) return 0;
    const after = answers.filter(
      ({ place, startedAt }) =>
        place?.kind === "exact" &&
        place.by === "index" &&
        place.block > before.head &&
        startedAt > before.until,
    );
    return Math.min(...after.map(({ endedAt }) => endedAt), Number.POSITIVE_INFINITY);
  });
}

/** Numbers of the chains that an answer may be of, the newest first. */
function chainsOf(answer: Answer, chains: readonly ChainVersion[], settled: readonly number[]): number[] {
  const newest = chains.findLastIndex((_, number) => (chains[number - 1]?.replacedAt ?? 0) <= answer.endedAt);
  const isIndex = answer.place?.kind === "exact" && answer.place.by === "index";
  const isCurrentOnly = (number: number) => (settled[number] ?? 0) < answer.startedAt;
  let oldest = chains.findIndex(({ until }) => answer.startedAt - REMEMBERED <= until);
  if (answer.place?.kind === "ever") oldest = 0;
  else if (isIndex) {
    oldest = newest;
    while (oldest > 0 && !isCurrentOnly(oldest)) oldest -= 1;
  }
  return Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index);
}

/** The first and last block of which an answer may be true. */
function blocksOf(
  { place, startedAt, endedAt }: Answer,
  { head, replacedAt: headUntil }: ChainVersion,
  { heads, chains }: Evidence,
): Blocks {
  const from = heads.findLastIndex(({ at }) => at < startedAt - REMEMBERED);
  const to = heads.findIndex(({ at }) => at > endedAt);
  // A chain that falls back has its lowest head in between.
  const meanwhile = heads.slice(Math.max(0, from), to < 0 ? undefined : to + 1).map(({ block }) => block);
  // While Anvil builds the other chain, a call may be answered from the last block that both have.
  const fallen = chains.filter(
    ({ replacedAt, until }) => replacedAt <= endedAt && startedAt - REMEMBERED <= until,
  );
  const before = from < 0 ? 0 : Math.min(...meanwhile, ...fallen.map(({ fork }) => fork));
  // Who looks at a chain's head when it is being replaced may see the other chain's.
  const after = to < 0 || headUntil - REMEMBERED <= endedAt ? head : Math.max(...meanwhile);
  // Anvil answers a call at its last block from the state that it has by then, which may be the next block's.
  if (place?.kind === "exact" && place.by === "chain") {
    return [place.block, Math.min(place.block + 1, Math.max(place.block, after))];
  }
  if (place?.kind === "exact") return [place.block, Math.max(place.block, after)];
  return [place?.kind === "ever" ? 0 : before, after];
}

/**
 * How an answer differs from a chain. What it reads one after the other (the page, each record, a total) may be of
 * different blocks.
 */
function differencesOf(
  { records = [], complete, total, document, absent, names: suggested = [] }: Answer,
  model: ChainModel,
  blocks: Blocks,
  names: ReadonlySet<string>,
): Difference {
  const unknown = suggested.filter((name) => !names.has(name));
  const differences = records.map((claim) => model.compareRecord(claim, blocks));
  if (complete) {
    const claimed = new Set(records.map(({ tokenId }) => tokenId));
    const differ = (found: ReadonlySet<string>) =>
      claimed.size === found.size && [...found].every((tokenId) => claimed.has(tokenId))
        ? []
        : [`${JSON.stringify(complete)}: ${claimed.size} records, not ${found.size}`];
    differences.push(model.compareSelection(complete, blocks, differ));
  }
  if (total) {
    const differ = ({ size }: ReadonlySet<string>) =>
      size === total.count ? [] : [`total ${total.count}, not ${size}`];
    differences.push(model.compareSelection(total.filter, blocks, differ));
  }
  if (absent !== undefined) {
    const differ = ({ size }: ReadonlySet<string>) => (size === 0 ? [] : [`${absent} has a record`]);
    differences.push(model.compareSelection({ kind: "did", value: absent }, blocks, differ));
  }
  if (document) {
    differences.push(model.compareDocument(document.did, document.version, document.hash, blocks));
  }
  return {
    block: Math.max(blocks[0], ...differences.map(({ block }) => block)),
    found: [
      ...unknown.map((name) => `nobody is called ${name}`),
      ...differences.flatMap(({ found }) => found),
    ],
  };
}

/** A read fails only while the chain or PostgreSQL is away, and then says that it can be repeated. */
function judgeFailures({ answers, disturbances }: Evidence): Finding[] {
  return answers.flatMap(({ failure, path, status, startedAt, endedAt, isPost, wasCut }) => {
    if (!failure && !wasCut) return [];
    const during = disturbances.filter((one) => one.startedAt <= endedAt && startedAt <= one.endedAt);
    const isWebKilled = during.some(({ kind }) => kind === "web");
    if (!failure) {
      return isWebKilled ? [] : [{ kind: "failed read", text: `${path}: cut off, and nothing was killed` }];
    }
    const isExcused = failure.retryable && during.some(({ kind }) => excuses[kind]?.test(failure.code));
    // The proxy may not send a POST twice; the client that sent it may.
    const isBroken = isPost && status === 502 && isWebKilled;
    if (isExcused || isBroken) return [];
    const kinds = during.map(({ kind }) => kind).join(", ") || "nothing";
    return [{ kind: "failed read", text: `${path}: ${status} ${failure.code} during ${kinds}` }];
  });
}

function countFailures(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { failure, status } of answers) {
    if (!failure) continue;
    const name = `${status} ${failure.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Everything that the API called attested is on the last chain, once. */
function judgeAttestations({ chains, attempts, issuer }: Evidence): Finding[] {
  const blocks = new Map<string, number[]>();
  for (const { block, name, args } of chains.at(-1)?.events ?? []) {
    if (name !== "DIDAttested" && name !== "DataHashAttested") continue;
    if (String(args.issuer).toLowerCase() !== issuer.issuer.toLowerCase()) continue;
    const pair = `${args.didHash} ${args.controller ?? args.dataHash}`.toLowerCase();
    blocks.set(pair, [...(blocks.get(pair) ?? []), block]);
  }
  const answered = new Set(
    attempts.flatMap(({ attestations }) =>
      attestations
        .filter((one) => one.issuer.toLowerCase() === issuer.issuer.toLowerCase())
        .map(({ didHash, subject }) => `${didHash} ${subject}`.toLowerCase()),
    ),
  );
  const lost = [...answered].filter((pair) => !blocks.has(pair));
  const twice = [...blocks].filter(([, all]) => all.length > 1);
  const unanswered = attempts.filter(({ status }) => status === undefined);
  return [
    ...lost.map((pair): Finding => ({ kind: "lost write", text: `attested, and not on the chain: ${pair}` })),
    ...twice.map(
      ([pair, all]): Finding => ({ kind: "duplicate write", text: `in blocks ${all.join(", ")}: ${pair}` }),
    ),
    ...unanswered.map(({ did }): Finding => ({ kind: "lost write", text: `no answer for ${did}` })),
  ];
}

/** The issuer's queue is empty, its nonces have no gap, and each of them attested something. */
function judgeIssuer({ chains, issuer }: Evidence): Finding[] {
  const { usedNonces, pendingNonces, openTransactions } = issuer;
  const statements = (chains.at(-1)?.events ?? []).filter(
    ({ name, args }) =>
      /^(DID|DataHash)Attested$/.test(name) &&
      String(args.issuer).toLowerCase() === issuer.issuer.toLowerCase(),
  ).length;
  const wrong = [
    openTransactions > 0 && `${openTransactions} transactions are still open`,
    pendingNonces !== usedNonces && `${pendingNonces - usedNonces} transactions wait in the node`,
    usedNonces !== statements && `${usedNonces} transactions for ${statements} attestations`,
  ];
  return wrong.filter((text) => text !== false).map((text) => ({ kind: "issuer", text }));
}

/** The least-squares slope over the second half. */
function growthOf({ part, start, samples }: MemorySeries): Growth {
  const half = samples.slice(Math.floor(samples.length / 2));
  const minutes = half.map(({ at }) => (at - (half[0]?.at ?? 0)) / 60_000);
  const sizes = half.map(({ bytes }) => bytes / 1_048_576);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, average] = [mean(minutes), mean(sizes)];
  const spread = minutes.reduce((sum, minute) => sum + (minute - middle) ** 2, 0);
  const joint = minutes.reduce(
    (sum, minute, at) => sum + (minute - middle) * ((sizes[at] ?? 0) - average),
    0,
  );
  const length = minutes.at(-1) ?? 0;
  return {
    ...{ part, start, minutes: length, megabytes: sizes.at(-1) ?? 0 },
    resident: (half.at(-1)?.resident ?? 0) / 1_048_576,
    slope: spread === 0 ? 0 : joint / spread,
    judged: length >= GROWTH_MINUTES && !GROWING.has(part),
  };
}
