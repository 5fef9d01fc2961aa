import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { capture, rootDirectory } from "../../scripts/stack/processes.ts";

const isRoot = process.getuid?.() === 0;

/** Starts and queries the database of the tests, and prints its answer. */
const database = `
  const { startPostgres } = await import("./packages/test-kit/src/postgres.ts");
  const server = await startPostgres();
  const { rows } = await server.connect().query("select 'it answers' as answer");
  console.log(rows[0].answer);
  await server.stop();
  process.exit();`;

// A container's first user is root, and only root can enter its home. PostgreSQL runs as another user.
(isRoot ? describe : describe.skip)("a checkout that only root can enter", () => {
  let parent: string;

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), "only-root-"));
    await mkdir(join(parent, "clone"));
  });
  after(() => rm(parent, { recursive: true, force: true }));

  /** Runs a script in this checkout, mounted below the folder of root. */
  const runBelow = (script: string) =>
    capture("unshare", [
      ...[
        "--mount",
        "sh",
        "-c",
        'mount --bind "$1" "$2" && cd "$2" && exec "$3" --input-type=module -e "$4"',
        "sh",
      ],
      ...[rootDirectory, join(parent, "clone"), process.execPath, script],
    ]);

  it("starts the database of the tests", async () => {
    expect((await runBelow(database)).output).to.equal("it answers\n");
  });
});
