import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { coverBehaviour, leftOut } from "../contract-coverage/coverBehaviour.ts";
import { buildContracts } from "../stack/buildContracts.ts";
import { capture, rootDirectory, stopServices } from "../stack/processes.ts";
import { startStack } from "../stack/stack.ts";
import { addCounts, type Counts, countHardhat, countPlaywright, countVitest } from "./counts.ts";

/** One runner, or one build step that the runners share. */
export interface Part {
  name: string;
  run(environment: Record<string, string>): Promise<PartResult>;
}

export interface PartResult {
  /** Absent for a build step. */
  counts?: Counts;
  ok: boolean;
  output: string;
}

const reports = join(rootDirectory, ".local/test-reports");
const webDirectory = join(rootDirectory, "apps/web");

/** Where the web app is built for the browser tests, apart from what `pnpm dev` builds. */
const NEXT_TEST_DIRECTORY = ".next-test";

export const contractBuild: Part = {
  name: "build contracts",
  run: () =>
    buildContracts().then(
      () => ({ ok: true, output: "" }),
      (error: Error) => ({ ok: false, output: error.message }),
    ),
};

export const webBuild: Part = {
  name: "build web",
  async run(environment) {
    const { code, output } = await capture("node_modules/.bin/next", ["build"], {
      directory: webDirectory,
      environment: { ...environment, NEXT_DIST_DIR: NEXT_TEST_DIRECTORY },
    });
    return { ok: code === 0, output };
  },
};

/**
 * The behaviour tests once, over contracts that report what ran; then, over the contracts as they are deployed, the
 * fuzz tests and those of gas, size and deployment. Missing coverage counts as one failed test.
 */
export const contracts: Part = {
  name: "contracts",
  async run(environment) {
    const behaviour = await coverBehaviour(environment);
    const covered = result(behaviour.ok ? 0 : 1, behaviour.output, countHardhat(behaviour.output));
    const files = [...Object.keys(leftOut), ...globSync("test/solidity/**/*.t.sol", { cwd: rootDirectory })];
    const { code, output } = await capture("hardhat", ["test", ...files], { environment });
    const deployed = result(code, output, countHardhat(output));
    return {
      ok: covered.ok && deployed.ok,
      output: [behaviour.summary, output].join("\n"),
      counts: addCounts([covered.counts, deployed.counts]),
    };
  },
};

/** The browser tests, against a stack of their own that serves the built web app. */
export const browser: Part = {
  name: "browser",
  async run(environment) {
    const report = join(reports, "browser.json");
    await rm(report, { force: true });
    try {
      const stack = await startStack({
        name: "test",
        web: "production",
        nextDirectory: NEXT_TEST_DIRECTORY,
        ports: { web: 3100, chain: 8645, indexer: 42169 },
        deploymentFile: join(rootDirectory, ".local/test/deployment.json"),
      });
      const { code, output } = await capture(
        "node_modules/.bin/playwright",
        ["test", "--reporter=list,json"],
        {
          directory: webDirectory,
          environment: {
            ...environment,
            E2E_BASE_URL: stack.webUrl,
            E2E_RPC_URL: stack.rpcUrl,
            E2E_INDEXER_URL: stack.indexerUrl,
            NEXT_TEST_BUILD: NEXT_TEST_DIRECTORY,
            DEPLOYMENT_FILE: stack.deploymentFile,
            PLAYWRIGHT_JSON_OUTPUT_FILE: report,
          },
        },
      );
      return result(code, output, await countReport(report, countPlaywright));
    } catch (error) {
      return result(1, error instanceof Error ? error.message : String(error), {
        passed: 0,
        failed: 0,
        skipped: 0,
      });
    } finally {
      await stopServices();
    }
  },
};

/** The vitest suites of one workspace package; the web app's run over the build of {@link webBuild}. */
export function vitest(name: string, directory: string): Part {
  return {
    name,
    async run(environment) {
      const report = join(reports, `${name}.json`);
      await rm(report, { force: true });
      const { code, output } = await capture(
        "node_modules/.bin/vitest",
        ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
        {
          directory: join(rootDirectory, directory),
          environment: { ...environment, NEXT_TEST_BUILD: NEXT_TEST_DIRECTORY },
        },
      );
      return result(code, output, await countReport(report, countVitest));
    },
  };
}

async function countReport(report: string, count: (text: string) => Counts): Promise<Counts> {
  const text = await readFile(report, "utf8").catch(() => undefined);
  return text === undefined ? { passed: 0, failed: 0, skipped: 0 } : count(text);
}

/** A runner that fails without a failed test, or runs none, counts as one failure. */
function result(code: number, output: string, counts: Counts): PartResult & { counts: Counts } {
  const silent = counts.failed === 0 && (code !== 0 || counts.passed === 0);
  const honest = silent ? { ...counts, failed: 1 } : counts;
  return { ok: honest.failed === 0, output, counts: honest };
}
