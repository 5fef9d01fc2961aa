import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { prepareDeploymentFile, readDeployment } from "../../scripts/deployment/deploymentFile.ts";
import { oneSentence } from "../../scripts/deployment/runScript.ts";

describe("The deployment file", () => {
  let folder: string;
  let broken: string;
  const failure = (attempt: Promise<unknown>) => attempt.then(() => "no failure", oneSentence);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "file-"));
    broken = join(folder, "broken.json");
    await writeFile(broken, "{");
  });
  after(() => rm(folder, { recursive: true }));

  it("is absent where there is none, and gets its folder", async () => {
    const absent = join(folder, "new", "66238.json");
    expect(await readDeployment(absent)).to.equal(undefined);
    await prepareDeploymentFile(absent);
    await writeFile(absent, "{}");
    expect(await failure(readDeployment(absent))).to.match(
      /^the deployment file \S+ is not a deployment \(chainId: .+; network: .+\)$/,
    );
  });

  it("is named with the reason when it can't be read", async () => {
    const inside = join(broken, "66238.json");
    expect(await failure(readDeployment(folder))).to.equal(`the deployment file ${folder} is a folder`);
    expect(await failure(readDeployment(broken))).to.equal(
      `the deployment file ${broken} is not a deployment (it is not JSON)`,
    );
    for (const attempt of [readDeployment(inside), prepareDeploymentFile(inside)]) {
      expect(await failure(attempt)).to.equal(
        `the deployment file ${inside} is inside something that is not a folder`,
      );
    }
  });
});
