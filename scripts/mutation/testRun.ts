import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import hre from "hardhat";
import Mocha from "mocha";
import { leftOutTests } from "./leftOut.ts";

/** A test file of either kind, over the artifacts of this process. Returns the titles of the tests that failed. */
export function runTestFile(file: string, isEachTold: boolean): Promise<string[]> {
  return file.endsWith(".sol") ? runSolidity(file) : runMocha(file, isEachTold);
}

let runs = 0;

/** Hardhat's own task runs once in a process; this one takes the file's module anew each time. */
async function runMocha(file: string, isEachTold: boolean): Promise<string[]> {
  runs += 1;
  const failures: string[] = [];
  class Listener {
    constructor(runner: Mocha.Runner) {
      runner.on("fail", (test) => failures.push(test.fullTitle()));
    }
  }
  const mocha = new Mocha({ ...hre.config.test.mocha, bail: !isEachTold, reporter: Listener as never });
  const path = resolve(file);
  mocha.suite.emit("pre-require", globalThis, path, mocha);
  try {
    await import(`${pathToFileURL(path)}?run=${runs}`);
  } catch (error) {
    return [`the file does not load: ${error}`];
  }
  mocha.suite.emit("require", {}, path, mocha);
  mocha.suite.emit("post-require", globalThis, path, mocha);
  await new Promise((done) => mocha.run(done));
  // Else its listeners would end the process when something fails that a test has left behind.
  mocha.dispose();
  return failures;
}

interface SuiteResult {
  testResults: { name: string; status: string }[];
}

async function runSolidity(file: string): Promise<string[]> {
  const task = hre.tasks.getTask(["test", "solidity"]);
  const grepExclude = Object.keys(leftOutTests).join("|");
  const result = await task.run({ testFiles: [resolve(file)], noCompile: true, grepExclude });
  const { suiteResults } = (result.success ? result.value : result.error) as { suiteResults: SuiteResult[] };
  const results = suiteResults.flatMap(({ testResults }) => testResults);
  const failures = results.filter(({ status }) => status === "Failure").map(({ name }) => name);
  return result.success || failures.length > 0 ? failures : ["the runner failed"];
}
