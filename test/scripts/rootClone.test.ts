import { spawnSync } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { execa } from "execa";
import { createScratchFolder } from "../../scripts/stack/postgres.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

/** True for a user that may mount folders: root, but not root of most containers. */
const canMount = process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;

/** Starts and queries the database of the tests, and prints its answer. */
const database = `
  const { startPostgres } = await import("./packages/test-kit/src/postgres.ts");
  const server = await startPostgres();
  const { rows } = await server.connect().query("select 'it answers' as answer");
  console.log(rows[0].answer);
  await server.stop();
  process.exit();`;

// A container's first user is root, and only root can enter its home. PostgreSQL runs as another user.
(canMount ? describe : describe.skip)("a checkout that only root can enter", () => {
  let parent: string;

  before(async () => {
    parent = await createScratchFolder("only-root-");
    for (const name of ["clone", "changes", "work"]) await mkdir(join(parent, name));
  });
  after(() => rm(parent, { recursive: true, force: true }));

  /** Runs Node.js in a copy of this checkout, mounted below a folder of root. The copy keeps its changes for itself. */
  const runBelow = (...parameters: string[]) => {
    const layers = `lowerdir=${rootDirectory},upperdir=${parent}/changes,workdir=${parent}/work`;
    const script = 'mount -t overlay -o "$1" overlay "$2" && cd "$2" && shift 2 && exec "$@"';
    const command = ["sh", layers, join(parent, "clone"), process.execPath, ...parameters];
    // Variables of this test run name the original.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME };
    const options = { all: true, reject: false, extendEnv: false, env };
    return execa("unshare", ["--mount", "sh", "-c", script, ...command], options);
  };

  it("starts the database of the tests", async () => {
    const { all } = await runBelow("--input-type=module", "--eval", database);
    expect(all).to.equal("it answers");
  });

  // The whole stack takes minutes to start.
  (process.env.TEST_LONG ? it : it.skip)("serves the first page of `pnpm dev`", async function () {
    this.timeout(0);
    const ports = ["--port", "3200", "--chain-port", "8745", "--indexer-port", "42269"];
    const dev = runBelow("scripts/dev.ts", ...ports);
    let isServed: boolean | undefined;
    for await (const line of dev.iterable({ from: "all" })) {
      // `dev` prints its summary when the first page has answered.
      const [, page] = /^ {2}Web app +(\S+)$/.exec(line) ?? [];
      if (page === undefined) continue;
      isServed = await fetch(page)
        .then(({ ok }) => ok)
        .finally(() => dev.kill());
    }
    const { all } = await dev;
    expect(isServed, all).to.equal(true);
    expect(all).to.include("Everything has stopped.");
  });
});
