import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { createDatabase } from "@app-registry/test-kit/postgres";
import { compileContracts } from "../stack/buildContracts.ts";
import { buildWeb, webDirectory } from "../stack/buildWeb.ts";
import { capture, rootDirectory, stopServices } from "../stack/processes.ts";
import { type Stack, startStack } from "../stack/stack.ts";
import { type Counts, countHardhat, countPlaywright, countVitest } from "./counts.ts";

/** Test runner, or build step that runners share. */
export interface TestJob {
  name: string;
  /** Names of the build steps that it requires. */
  needs?: string[];
  run(environment: Record<string, string>): Promise<PartResult>;
}

interface PartResult {
  /** Absent for a build that succeeded. */
  counts?: Counts;
  ok: boolean;
  output: string;
}

const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 };

const reports = join(rootDirectory, ".local/test-reports");

/** Build folder of the web app for browser tests, separate from that of `pnpm dev`. */
export const NEXT_TEST_DIRECTORY = ".next-test";

/** Runs a suite at a lower priority than the builds and the browser tests, which take longest. */
const captureLater: typeof capture = (command, parameters, options) =>
  capture("nice", ["-n", "10", command, ...parameters], options);

const built = (build: Promise<unknown>): Promise<PartResult> =>
  build.then(
    () => ({ ok: true, output: "" }),
    (error: Error) => ({ ok: false, output: error.message, counts: { ...NO_TESTS, failed: 1 } }),
  );

export const contractBuild: TestJob = {
  name: "build contracts",
  run: () => built(compileContracts()),
};

export const webBuild: TestJob = {
  name: "build web",
  // Pages name the packed packages in commands, and the sdk contains the contracts' bindings.
  needs: [contractBuild.name],
  run: (environment) => built(buildWeb(NEXT_TEST_DIRECTORY, environment)),
};

/** Checks of `pnpm check` that need only the sources, as one test. They run during the builds. */
export const lint: TestJob = { name: "lint", run: () => checked("--lint") };

/** Other checks of `pnpm check`, as one test. They need the builds. */
export const check: TestJob = {
  name: "check",
  needs: [webBuild.name],
  run: () => checked("--built"),
};

async function checked(parameter: string): Promise<PartResult> {
  const { code, output } = await captureLater(process.execPath, ["scripts/check.ts", parameter]);
  const ok = code === 0;
  return { ok, output, counts: { ...NO_TESTS, [ok ? "passed" : "failed"]: 1 } };
}

/** Tests of the contracts, scripts and documents, with the production build of the contracts. */
export const contracts: TestJob = {
  name: "contracts",
  needs: [contractBuild.name],
  run: (environment) => testContracts(["mocha", "--no-compile", ...mochaFiles()], environment),
};

/** Fuzz and invariant tests. */
export const fuzz: TestJob = {
  name: "fuzz",
  needs: [contractBuild.name],
  run: (environment) => testContracts(["solidity"], environment),
};

/** Behavior tests with coverage. Missing coverage counts as a failed test. */
export const coverage: TestJob = {
  name: "coverage",
  needs: [contractBuild.name],
  async run(environment) {
    const { code, output } = await capture(process.execPath, ["scripts/coverage.ts"], { environment });
    return result(code, output, countHardhat(output));
  },
};

const mochaFiles = () => globSync("test/**/*.test.ts", { cwd: rootDirectory }).sort();

async function testContracts(parameters: string[], environment: Record<string, string>): Promise<PartResult> {
  // Don't regenerate the bindings, because other parts are reading them.
  const { code, output } = await captureLater("hardhat", ["--no-typechain", "test", ...parameters], {
    environment,
  });
  return result(code, output, countHardhat(stripVTControlCharacters(output)));
}

/** Runs Playwright against a stack that serves the build for browser tests. */
export const runPlaywright = (stack: Stack, parameters: string[], environment: Record<string, string>) =>
  capture("node_modules/.bin/playwright", ["test", ...parameters], {
    directory: webDirectory,
    environment: {
      ...environment,
      E2E_BASE_URL: stack.webUrl,
      E2E_RPC_URL: stack.rpcUrl,
      NEXT_TEST_BUILD: NEXT_TEST_DIRECTORY,
      DEPLOYMENT_FILE: stack.deploymentFile,
      DATABASE_URL: stack.databaseUrl,
    },
  });

/** Browser tests against a separate stack that serves the built web app. */
export const browser: TestJob = {
  name: "browser",
  needs: [webBuild.name],
  async run(environment) {
    const report = join(reports, "browser.json");
    await rm(report, { force: true });
    try {
      const stack = await startStack({
        name: "test",
        // The run's servers remove this database.
        databaseUrl: (await createDatabase()).url,
        nextDirectory: NEXT_TEST_DIRECTORY,
        ports: { web: 3100, chain: 8645, indexer: 42169 },
        deploymentFile: join(rootDirectory, ".local/test/deployment.json"),
      });
      const reporting = { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
      const { code, output } = await runPlaywright(stack, ["--reporter=list,json"], reporting);
      return result(code, output, await countReport(report, countPlaywright));
    } catch (error) {
      return result(1, error instanceof Error ? error.message : String(error), NO_TESTS);
    } finally {
      await stopServices();
    }
  },
};

/** Creates the job of a workspace package's vitest suites. They need no build but the named one. */
export function vitest(name: string, directory: string, ...needs: string[]): TestJob {
  return {
    name,
    needs,
    async run(environment) {
      const report = join(reports, `${name}.json`);
      await rm(report, { force: true });
      const { code, output } = await captureLater(
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
  return text === undefined ? NO_TESTS : count(text);
}

/** Builds a result. Counts a runner that fails without a failed test, or runs no test, as one failure. */
function result(code: number, output: string, counts: Counts): PartResult & { counts: Counts } {
  const silent = counts.failed === 0 && (code !== 0 || counts.passed === 0);
  const honest = silent ? { ...counts, failed: 1 } : counts;
  return { ok: honest.failed === 0, output, counts: honest };
}
