import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createGuardedFetch, probeService } from "@app-registry/outbound";
import { parseDeployment, publishApp } from "@app-registry/sdk";
import getPort from "get-port";
import { createPublicClient, http } from "viem";
import { hardhat } from "viem/chains";
import { createIssuer } from "../../packages/issuer/src/index.ts";
import { DEMO_PUBLISHER_INDEX, ISSUER_INDEX, localAccount } from "../../scripts/stack/accounts.ts";
import { localClient } from "../../scripts/stack/client.ts";
import { rootDirectory, stopServices } from "../../scripts/stack/processes.ts";
import { startStack } from "../../scripts/stack/stack.ts";
import { untilTrue } from "../publish.ts";
import { writeResults } from "../results.ts";

/**
 * `pnpm bench:flows`: Counts the files of the project of which a function runs in a flow on the local stack, by V8's
 * coverage, and lists them. Writes bench/results/flows.json. Modules are loaded before, so loading doesn't count.
 */

type FunctionCoverage = { ranges: { startOffset: number; count: number }[] };
type Script = { scriptId: string; url: string; functions: FunctionCoverage[] };
/** Connection to the inspector of a process. */
type Inspector = { post<Result>(method: string, params?: object): Promise<Result> };

async function openInspector(port: number): Promise<Inspector> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await response.json()) as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, "open");
  const answers = new EventEmitter();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(data);
    answers.emit(String(id), result);
  });
  let last = 0;
  return {
    async post(method, params) {
      socket.send(JSON.stringify({ id: ++last, method, params }));
      return (await once(answers, String(last)))[0];
    },
  };
}

/** Functions that bundlers add to a module to return its exports. */
const EXPORT_GETTER = /^(get\s*\(\)|\(\) ?=>) ?\{ ?(try ?\{ ?)?return /;

/** Returns the sources of the functions that ran since the last call, by path or URL. */
async function takeSources(inspector: Inspector): Promise<string[]> {
  const { result } = await inspector.post<{ result: Script[] }>("Profiler.takePreciseCoverage");
  const sources = result.map(async ({ scriptId, url, functions }) => {
    // The function at the start of a script is the script itself.
    const ran = functions.flatMap(({ ranges: [whole] }) => (whole?.count && whole.startOffset) || []);
    if (ran.length === 0 || !/\/(apps|packages)\//.test(url)) return [];
    const script = await inspector.post<{ scriptSource: string }>("Debugger.getScriptSource", { scriptId });
    const starts = ran.filter((start) => !EXPORT_GETTER.test(script.scriptSource.slice(start, start + 40)));
    return url.includes("/.next") ? mapToSources(url, script.scriptSource, starts) : starts.map(() => url);
  });
  return (await Promise.all(sources)).flat();
}

/** Returns the sources at positions in a bundle, by its source map. */
async function mapToSources(url: string, text: string, offsets: readonly number[]): Promise<string[]> {
  const json = await readFile(fileURLToPath(`${url}.map`), "utf8").catch(() => undefined);
  if (json === undefined) return [];
  const map = new SourceMap(JSON.parse(json));
  const lengths = text.split("\n").map((line) => line.length);
  return offsets.map((offset) => {
    const line = text.slice(0, offset).split("\n").length - 1;
    const entry = map.findEntry(line, lengths[line] ?? 0);
    // Code that the bundler adds has lines of its own, which belong to no source.
    const isMapped = "originalSource" in entry && entry.generatedLine === line;
    return isMapped ? decodeURI(entry.originalSource) : "";
  });
}

/** Source of the project in a URL or path, without tests, generated files and dependencies. */
const PROJECT_FILE =
  /(?:^|\/)((?:apps|packages)\/(?!test-kit\/|.*(?:node_modules|generated|\.next|\/test)\/).+\.tsx?)$/;

/** Runs a flow twice, first to load its modules, and returns the files of which a function ran the second time. */
async function listFiles(inspectors: Inspector[], flow: (word: string) => Promise<unknown>) {
  await flow("rain");
  // Let the indexer and the issuer's monitor process the previous transactions.
  await sleep(3_000);
  for (const inspector of inspectors) await inspector.post("Profiler.takePreciseCoverage");
  await flow("weather");
  const sources = (await Promise.all(inspectors.map(takeSources))).flat();
  return [...new Set(sources.flatMap((source) => PROJECT_FILE.exec(source)?.[1] ?? []))].sort();
}

// The worker in the indexer's process would add its files to those of a search.
process.env.OFFCHAIN_DOCUMENTS = "off";
try {
  const inspectPorts = { web: await getPort(), indexer: await getPort() };
  const deploymentFile = join(rootDirectory, ".local/flows/deployment.json");
  const ports = { web: 3400, chain: 8945, indexer: 42469 };
  const stack = await startStack({ name: "flows", ports, deploymentFile, inspectPorts });
  const publisher = localAccount(DEMO_PUBLISHER_INDEX);
  const client = await localClient(stack, publisher);
  const guardedFetch = createGuardedFetch({ allowLoopback: true });
  const issuer = await createIssuer({
    account: localAccount(ISSUER_INDEX),
    deployment: parseDeployment(JSON.parse(await readFile(deploymentFile, "utf8"))),
    publicClient: createPublicClient({ chain: hardhat, transport: http(stack.rpcUrl) }),
    ...{ guardedFetch, allowLoopback: true, mode: "sign" as const },
  });
  const toDid = (name: string) => `did:web:${new URL(stack.webUrl).host.replace(":", "%3A")}:${name}`;
  const endpoints = [{ name: "REST", endpoint: `${stack.webUrl}/api/search` }];
  const about = { description: "Today's forecast.", publisher: "Forecasts", traits: ["api:rest"], endpoints };
  const toService = (name: string) => ({ did: toDid(name), interfaces: 2, metadata: { ...about, name } });
  const search = async (word: string) => {
    const answer = await fetch(`${stack.webUrl}/api/search?q=${word}&interface=2`);
    const { source, results } = (await answer.json()) as { source?: string; results?: unknown[] };
    return source === "index" && results?.length === 1;
  };
  const own = new Session();
  own.connect();
  const servers = [await openInspector(inspectPorts.web), await openInspector(inspectPorts.indexer)];
  for (const inspector of [own, ...servers]) {
    for (const method of ["Debugger.enable", "Profiler.enable"]) await inspector.post(method);
    await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  }
  const flows = {
    publish: await listFiles([own], (word) =>
      publishApp({ client, baseUrl: stack.webUrl, version: "1.0.0", ...toService(word) }),
    ),
    "verify-and-attest": await listFiles([own], (word) =>
      issuer.verifyAndAttest({ did: toDid(`new-${word}`), connectedAddress: publisher.address }),
    ),
    search: await listFiles(servers, (word) => untilTrue(() => search(word))),
    probe: await listFiles([own], (word) => probeService(toService(word), { guardedFetch })),
  };
  for (const [flow, files] of Object.entries(flows))
    console.log(`\n${flow}: ${files.length} files\n  ${files.join("\n  ")}`);
  await writeResults("flows", flows);
} finally {
  await stopServices();
}
process.exit();
