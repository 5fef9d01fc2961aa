import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { rootDirectory, startService } from "../../scripts/stack/processes.ts";

/** Arguments of `sh` for a program that prints its process id, then endless lines, and ignores SIGTERM. */
const stubborn = ["-c", "trap '' TERM; echo $$; while true; do echo more; sleep 0.02; done"];

/** Script that starts the stubborn service from a separate process. */
const owner = `
  const { startService } = await import("./scripts/stack/processes.ts");
  const [logDirectory, ...parameters] = process.argv.slice(1);
  await startService({ name: "stubborn", command: ["sh", ...parameters], logDirectory });
  setInterval(() => {}, 1_000);`;

const isRunning = (processId: number) => {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
};

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("services of startService", () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "services-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const log = (name: string) => readFile(join(directory, `${name}.log`), "utf8").catch(() => "");

  it("end with the process that started them, even if that is killed", async () => {
    const ownerProcess = spawn(
      process.execPath,
      ["--input-type=module", "-e", owner, directory, ...stubborn],
      { cwd: rootDirectory, stdio: "ignore" },
    );
    await until(async () => (await log("stubborn")).includes("more"));
    const processId = Number.parseInt(await log("stubborn"), 10);
    expect(isRunning(processId)).to.equal(true);
    ownerProcess.kill("SIGKILL");
    await until(() => !isRunning(processId));
  });

  it("end when they are stopped, even if they ignore SIGTERM", async () => {
    for (const parameters of [["-c", "echo $$; sleep 600"], stubborn]) {
      const name = `service-${parameters.length}-${parameters[1]?.length}`;
      const service = await startService({ name, command: ["sh", ...parameters], logDirectory: directory });
      await until(async () => /^\d+\n/.test(await log(name)));
      await service.stop();
      const processId = Number.parseInt(await log(name), 10);
      await until(() => !isRunning(processId));
    }
  });

  it("return the exit code of their command", async () => {
    const start = (name: string, ...command: string[]) =>
      startService({ name, command, logDirectory: directory });
    expect(await (await start("failing", "sh", "-c", "echo bye; exit 7")).ended).to.equal(7);
    expect(await log("failing")).to.equal("bye\n");
    expect(await (await start("absent", "no-such-command")).ended).to.equal(127);
  });
});
