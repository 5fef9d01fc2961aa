import { appPath, dataHash, dataUrlPath, parseVersion, type SearchResult } from "@app-registry/sdk";
import type { Random } from "../../bench/search/data/random.ts";
import type { Answer, RecordClaim } from "./evidence.ts";
import type { Shared } from "./publishers.ts";

/** Milliseconds between two requests of one reader, at most. A soak looks for wrong answers, not for the machine's limit. */
const PAUSE = 600;

/** Rows that a page of an export has at most. */
const EXPORT_LIMIT = 1_000;

type Judged = Omit<Answer, "route" | "path" | "startedAt" | "endedAt" | "status">;
type Route = (shared: Shared, random: Random) => { path: string; body?: object; read(answer: Read): Judged };
interface Read {
  status: number;
  headers: Headers;
  text: string;
}

const recordOf = ({ facts, ...result }: SearchResult): RecordClaim => ({
  ...{ tokenId: result.tokenId, did: result.did, version: result.version, status: result.status },
  ...{ owner: result.owner.toLowerCase(), dataHash: result.dataHash },
  ...(facts?.control && facts.control !== "unknown" && { control: facts.control === "pass" }),
  ...(facts?.attested && facts.attested !== "unknown" && { attested: facts.attested === "pass" }),
});

interface Page {
  results: SearchResult[];
  nextCursor: string | null;
  total?: { count: number };
  source: "index" | "chain";
  block: number;
}

function readPage({ text }: Read): Page & Pick<Required<Judged>, "place" | "records"> {
  const page = JSON.parse(text) as Page;
  return {
    ...page,
    place: { kind: "exact", block: page.block, by: page.source },
    records: page.results.map(recordOf),
  };
}

const DID_LIMIT = 20;

/** What readers ask, each as often as another. */
const routes = {
  searchByDid: ({ services }, random) => {
    const { did } = random.pick(services);
    return {
      path: `/api/search?${new URLSearchParams({ did, status: "any" })}`,
      read(answer) {
        const { place, records } = readPage(answer);
        return { place, records, complete: { kind: "did", value: did } };
      },
    };
  },
  searchByOwner: ({ accounts }, random) => {
    const owner = random.pick(accounts);
    return {
      path: `/api/search?${new URLSearchParams({ owner, status: "any", limit: "100" })}`,
      read(answer) {
        const { place, records, nextCursor } = readPage(answer);
        const complete = { kind: "owner", value: owner.toLowerCase() } as const;
        return { place, records, ...(nextCursor === null && { complete }) };
      },
    };
  },
  searchByTrait: () => ({
    path: "/api/search?traits=api%3Amcp&facets=true&limit=20",
    read(answer) {
      const { place, records, total, source } = readPage(answer);
      const filter = { kind: "status", value: 0 } as const;
      return {
        ...{ place, records },
        ...(source === "index" && total && { total: { filter, count: total.count } }),
      };
    },
  }),
  searchByWord: ({ names }, random) => ({
    path: `/api/search?${new URLSearchParams({ q: random.pick(names), status: "any" })}`,
    read(answer) {
      const { place, records } = readPage(answer);
      return { place, records };
    },
  }),
  app: ({ services }, random) => {
    const { did } = random.pick(services);
    return {
      path: `/api${appPath(did)}`,
      read({ text, status: httpStatus }) {
        if (httpStatus === 404) return { place: { kind: "recent" }, absent: did };
        const { tokenId, owner, status, record } = JSON.parse(text);
        const { version, dataHash: hash } = record;
        const claim = { tokenId, did, owner: owner.toLowerCase(), status, version, dataHash: hash };
        return { place: { kind: "recent" }, records: [claim] };
      },
    };
  },
  verify: ({ services }, random) => {
    const dids = [random.pick(services).did, random.pick(services).did];
    return {
      path: "/api/verify",
      body: { dids },
      read({ text }) {
        const { results } = JSON.parse(text) as {
          results: { did: string; report?: Report; problem?: Problem }[];
        };
        const problem = results.find((result) => result.problem)?.problem;
        if (problem) return { failure: { code: problem.code, retryable: problem.retryable === true } };
        const reports = results.flatMap(({ did, report }) => (report ? [{ did, report }] : []));
        // Reports of one request may be of different blocks: the judge looks at the first.
        const [{ did, report } = { did: "", report: undefined }] = reports;
        if (report?.blockNumber && report.tokenId === null && report.facts.record.outcome === "fail") {
          return { place: { kind: "exact", block: report.blockNumber, by: "chain" }, absent: did };
        }
        if (!report?.tokenId || report.blockNumber === null) {
          return { failure: { code: "unread", retryable: report?.facts.record.outcome === "unknown" } };
        }
        const { control, attested } = report.facts;
        const claim: RecordClaim = { did, tokenId: report.tokenId, version: report.version ?? "" };
        if (control.outcome !== "unknown") claim.control = control.outcome === "pass";
        if (attested.outcome !== "unknown") claim.attested = attested.outcome === "pass";
        return { place: { kind: "exact", block: report.blockNumber, by: "chain" }, records: [claim] };
      },
    };
  },
  dataUrl: ({ services }, random) => {
    const { did, versions } = random.pick(services);
    const version = random.pick(versions);
    return {
      path: dataUrlPath(did, parseVersion(version)),
      read: ({ status, text }) => ({
        place: { kind: "recent" },
        document: { did, version, hash: status === 404 ? null : dataHash(text, 0) },
      }),
    };
  },
  suggest: ({ names }, random) => ({
    path: `/api/suggest?${new URLSearchParams({ q: random.pick(names).slice(0, random.between(3, 12)) })}`,
    read: ({ text }) => ({ place: { kind: "ever" }, names: JSON.parse(text).names }),
  }),
  export: () => ({
    path: `/api/export/apps?limit=${EXPORT_LIMIT}`,
    read({ text, headers }) {
      const rows = text.split("\n").filter(Boolean);
      const records = rows.map((row): RecordClaim => {
        const { tokenId, did, major, minor, patch, status, owner, dataHash: hash } = JSON.parse(row);
        const version = `${major}.${minor}.${patch}`;
        return { tokenId: String(tokenId), did, version, status, owner, dataHash: hash };
      });
      const block = Number(headers.get("index-block"));
      return {
        place: { kind: "exact", block, by: "index" },
        records,
        ...(!headers.has("link") && { complete: { kind: "all" } }),
      };
    },
  }),
  servers: () => ({
    path: `/v0.1/servers?limit=${DID_LIMIT}`,
    read({ text }) {
      const { servers } = JSON.parse(text) as {
        servers: { server: { version: string }; _meta: ServerMeta }[];
      };
      const records = servers.map(({ server, _meta }): RecordClaim => {
        const { did, tokenId, owner, dataHash: hash } = _meta["app-registry/record"];
        return { did, tokenId, owner: owner.toLowerCase(), dataHash: hash, version: server.version };
      });
      return { place: { kind: "ever" }, records };
    },
  }),
} satisfies Record<string, Route>;

interface Problem {
  code: string;
  retryable?: boolean;
}
interface Report {
  tokenId: string | null;
  version: string | null;
  blockNumber: number | null;
  facts: Record<"record" | "control" | "attested", { outcome: string }>;
}
type ServerMeta = Record<
  "app-registry/record",
  { did: string; tokenId: string; owner: string; dataHash: string }
>;

/** Reads through the proxy until the load ends, and keeps what each answer claims. */
export async function runReader(shared: Shared, random: Random, answers: Answer[]): Promise<void> {
  while (!shared.signal.aborted) {
    if (shared.services.length > 0) {
      const route = random.pick(Object.keys(routes) as (keyof typeof routes)[]);
      answers.push(await ask(shared, route, random));
    }
    await new Promise((resolve) => setTimeout(resolve, random.between(0, PAUSE)));
  }
}

/** Asks, and once again if the answer was cut off: its process died while it sent it, which no proxy can mend. */
async function ask(shared: Shared, route: keyof typeof routes, random: Random): Promise<Answer> {
  const asked = (routes[route] as Route)(shared, random);
  const answer = await askOnce(shared, route, asked);
  if (answer.failure?.code !== CUT) return answer;
  return { ...(await askOnce(shared, route, asked)), startedAt: answer.startedAt, wasCut: true };
}

/** The code of an answer that ended early. */
const CUT = "cut off";

async function askOnce(
  { fleet }: Shared,
  route: string,
  { path, body, read }: ReturnType<Route>,
): Promise<Answer> {
  const about = { route, path, startedAt: Date.now(), ...(body && { isPost: true }) };
  try {
    const response = await fetch(new URL(path, fleet.webUrl), {
      ...(body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const { status, headers } = response;
    const text = await response.text().catch(() => undefined);
    const answer = { ...about, endedAt: Date.now(), status };
    // A table without rows is exported as nothing.
    const isWhole =
      route === "dataUrl" || /[}\]]\s*$/.test(text ?? "") || (route === "export" && text === "");
    if (text === undefined || (response.ok && !isWhole)) {
      return { ...answer, failure: { code: CUT, retryable: false } };
    }
    const isJudged = response.ok || (["dataUrl", "app"].includes(route) && status === 404);
    return { ...answer, ...(isJudged ? read({ status, headers, text }) : failureOf(text)) };
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code ?? String(error);
    return { ...about, endedAt: Date.now(), status: 0, failure: { code, retryable: false } };
  }
}

function failureOf(text: string): Pick<Answer, "failure"> {
  try {
    const { code, retryable } = JSON.parse(text) as Problem;
    return { failure: { code, retryable: retryable === true } };
  } catch {
    return { failure: { code: `no problem document: ${text.slice(0, 80)}`, retryable: false } };
  }
}
