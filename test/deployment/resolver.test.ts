import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { deploy } from "../../scripts/deployment/deploy.ts";
import type { DeploySettings } from "../../scripts/deployment/settings.ts";
import { HOUR } from "../resolver/fixture.ts";
import { type Chain, connectTo, startChain } from "./chains.ts";

/** Time limit in milliseconds, which is long, because a busy machine makes a test slow. */
const TIMEOUT_MS = 120_000;

/** Accounts that a Hardhat node funds. */
const ISSUER = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";
const SECOND_ISSUER = "0xdD2FD4581271e230360230F9337D5c0430Bf44C0";
const THIRD_ISSUER = "0xbDA5747bFD65F08deb54cb465eB87D40e51B197E";

describe("deploy", function () {
  this.timeout(TIMEOUT_MS);
  let chain: Chain;
  let folder: string;
  let file: string;

  const deployHere = async (settings: Partial<DeploySettings> = {}) => {
    const asked = { ISSUER_ADDRESS: [], DEPLOYMENT_FILE: file, ...settings };
    return deploy(await connectTo(chain.url), asked, () => {});
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "deployment-"));
    file = join(folder, "31337.json");
    chain = await startChain(31337);
  });

  after(async () => {
    await chain.stop();
    await rm(folder, { recursive: true });
  });

  it("links the contracts, authorises the issuer and describes itself", async () => {
    await deployHere({ ISSUER_ADDRESS: [ISSUER] });
    const deployment = JSON.parse(await readFile(file, "utf8"));
    const { ethers } = (await connectTo(chain.url)).connection;
    const { AppRegistry, AppMetadata, ResolverWithStore } = deployment.contracts;
    const registry = await ethers.getContractAt("AppRegistry", AppRegistry.address);
    const metadata = await ethers.getContractAt("AppMetadata", AppMetadata.address);
    const resolver = await ethers.getContractAt("ResolverWithStore", ResolverWithStore.address);
    expect(await registry.resolver()).to.equal(ResolverWithStore.address);
    expect(await registry.metadata()).to.equal(AppMetadata.address);
    expect(await metadata.registry()).to.equal(AppRegistry.address);
    expect((await resolver.getIssuers()).map(({ issuer }) => issuer)).to.deep.equal([ISSUER]);
    expect(await resolver.maturation()).to.equal(HOUR);
    expect(deployment).to.include({ chainId: 31337, network: "localhost" });
    expect(deployment.compiler.settings).to.have.property("viaIR", true);

    const { deployBlock } = deployment;
    expect(await ethers.provider.getCode(ResolverWithStore.address, deployBlock)).not.to.equal("0x");
    expect(await ethers.provider.getCode(ResolverWithStore.address, deployBlock - 1)).to.equal("0x");
  });

  it("changes nothing in a second run", async () => {
    const before = [await readFile(file, "utf8"), await chain.provider.getBlockNumber()];
    await deployHere();
    expect([await readFile(file, "utf8"), await chain.provider.getBlockNumber()]).to.deep.equal(before);
  });

  it("adds an issuer and offers the ownership in a later run", async () => {
    const settings: Partial<DeploySettings> = {
      ISSUER_ADDRESS: [ISSUER, THIRD_ISSUER],
      OWNER_ADDRESS: SECOND_ISSUER,
    };
    const deployment = await deployHere(settings);
    const { ethers } = (await connectTo(chain.url)).connection;
    const { address } = deployment.contracts.ResolverWithStore;
    const resolver = await ethers.getContractAt("ResolverWithStore", address);
    expect((await resolver.getIssuers()).map(({ issuer }) => issuer)).to.deep.equal([
      ...[ISSUER, THIRD_ISSUER],
    ]);
    expect(await resolver.pendingOwner()).to.equal(SECOND_ISSUER);
    const block = await ethers.provider.getBlockNumber();
    await deployHere(settings);
    expect(await ethers.provider.getBlockNumber()).to.equal(block);
  });

  it("refuses a file of another chain", async () => {
    const other = join(folder, "1.json");
    await writeFile(other, (await readFile(file, "utf8")).replace('"chainId": 31337', '"chainId": 1'));
    const error = await deployHere({ DEPLOYMENT_FILE: other }).catch((thrown: unknown) => thrown);
    expect(String(error)).to.contain("describes chain 1, but the network is chain 31337");
  });

  it("deploys again if the chain was reset", async () => {
    await chain.stop();
    chain = await startChain(31337, Number(new URL(chain.url).port));
    const { ethers } = (await connectTo(chain.url)).connection;
    const deployment = await deployHere();
    const { address } = deployment.contracts.ResolverWithStore;
    expect(await ethers.provider.getCode(address)).not.to.equal("0x");
    const resolver = await ethers.getContractAt("ResolverWithStore", address);
    expect((await resolver.getIssuers()).map(({ issuer }) => issuer)).to.deep.equal([await resolver.owner()]);
  });
});
