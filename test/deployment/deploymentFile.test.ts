import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { readDeployment } from "../../scripts/deployment/deploymentFile.ts";
import { oneSentence } from "../../scripts/deployment/openNetwork.ts";

describe("readDeployment", () => {
  let folder: string;
  let broken: string;
  const failure = (attempt: Promise<unknown>) => attempt.then(() => "no failure", oneSentence);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "file-"));
    broken = join(folder, "broken.json");
    await writeFile(broken, "{");
  });
  after(() => rm(folder, { recursive: true }));

  it("returns undefined if the file does not exist", async () => {
    expect(await readDeployment(join(folder, "66238.json"))).to.equal(undefined);
  });

  it("names the file and the reason if it can't be read", async () => {
    const inside = join(broken, "66238.json");
    const fieldless = join(folder, "fieldless.json");
    await writeFile(fieldless, "{}");
    for (const [file, reason] of [
      [folder, "EISDIR"],
      [broken, "The deployment file is not valid: it is not valid JSON"],
      [fieldless, "The deployment file is not valid: chainId: "],
      [inside, "ENOTDIR"],
    ] as const) {
      expect(await failure(readDeployment(file))).to.match(new RegExp(`^${file}: ${reason}`));
    }
  });
});
