import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import hre from "hardhat";
import { deploy } from "../../scripts/deployment/deploy.ts";
import { oneSentence } from "../../scripts/deployment/openNetwork.ts";
import type { DeploySettings } from "../../scripts/deployment/settings.ts";
import { HOUR } from "../resolver/fixture.ts";
import { type Chain, connectTo, startChain, startProxy } from "./chains.ts";

/** Id of no existing chain, so that the test changes no real journal. */
const CHAIN_ID = 2_066_238;
const TIMEOUT_MS = 120_000;
const journal = join(hre.config.paths.ignition, "deployments", `chain-${CHAIN_ID}`);

const failure = (attempt: Promise<unknown>) => attempt.then(() => "no failure", oneSentence);

describe("deploy on a lasting chain", function () {
  this.timeout(TIMEOUT_MS);
  let chain: Chain;
  let folder: string;
  let file: string;
  let printed: string[];

  const forget = () => rm(journal, { recursive: true, force: true });
  const deployTo = async (url: string, settings: Partial<DeploySettings> = {}) => {
    const asked = { ISSUER_ADDRESS: [], DEPLOYMENT_FILE: file, ...settings };
    return deploy(await connectTo(url), asked, (line) => printed.push(line));
  };

  /** Returns the number of contracts that the deployer created. */
  const created = async () => {
    let count = 0;
    for (let block = await chain.provider.getBlockNumber(); block > 0; block--) {
      const { transactions = [] } = (await chain.provider.getBlock(block)) ?? {};
      for (const hash of transactions) {
        if ((await chain.provider.getTransactionReceipt(hash))?.contractAddress) count += 1;
      }
    }
    return count;
  };
  const getMaturation = async (address: string) => {
    const { connection } = await connectTo(chain.url);
    return (await connection.ethers.getContractAt("ResolverWithStore", address)).maturation();
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "repeated-"));
  });
  beforeEach(async () => {
    await forget();
    file = join(folder, "deployment.json");
    await rm(file, { force: true });
    printed = [];
    chain = await startChain(CHAIN_ID);
  });
  afterEach(async () => {
    await chain.stop();
    await forget();
  });
  after(() => rm(folder, { recursive: true }));

  it("succeeds with a valid setting after a failed simulation", async () => {
    // This RPC estimates gas without running the call.
    const proxy = await startProxy(chain.url, async ({ method }) =>
      method === "eth_estimateGas" ? { result: "0x4c4b40" } : undefined,
    );
    const refusal = await failure(deployTo(proxy.url, { MATURATION: 5n }));
    await proxy.stop();
    expect(refusal).to.contain("SettingOutOfBounds(5, 3600, 604800)");

    const { contracts } = await deployTo(chain.url, { MATURATION: 7_200n });
    expect(await getMaturation(contracts.ResolverWithStore.address)).to.equal(7_200n);
    expect(await created()).to.equal(2);
  });

  it("sends no transaction if the contracts can't be created", async () => {
    expect(await failure(deployTo(chain.url, { MATURATION: 5n }))).to.contain(
      "SettingOutOfBounds(5, 3600, 604800)",
    );
    expect(await chain.provider.getBlockNumber()).to.equal(0);
  });

  it("sends no transaction from an account that can't pay", async () => {
    const override = { url: chain.url, accounts: [`0x${"11".repeat(32)}`] };
    const connection = await hre.network.create({ network: "localhost", override });
    const signers = await connection.ethers.getSigners();
    const settings = { ISSUER_ADDRESS: [], DEPLOYMENT_FILE: file };
    const network = { name: "localhost", chainId: CHAIN_ID, connection, signers };
    expect(await failure(deploy(network, settings, () => {}))).to.match(
      /^Nothing was sent: the deployer 0x\w{40} has 0 of the chain's currency, and the deployment costs about 0\.\d+\.$/,
    );
    expect(await chain.provider.getBlockNumber()).to.equal(0);

    await chain.provider.send("hardhat_setBalance", [signers[0]?.address, "0xde0b6b3a7640000"]);
    await deploy(network, settings, () => {});
    expect(await created()).to.equal(2);
  });

  it("finds a contract whose creation was sent before the connection broke, and does not create it again", async () => {
    let broken = false;
    const proxy = await startProxy(chain.url, async ({ method, forward }) => {
      if (method !== "eth_sendTransaction" || broken) return undefined;
      broken = true;
      await forward();
      return "drop";
    });
    const refusal = await failure(deployTo(proxy.url, { MATURATION: 7_200n }));
    await proxy.stop();
    expect(refusal).not.to.equal("no failure");
    expect(await created()).to.equal(1);
    for (let block = 0; block < 20; block++) await chain.provider.send("evm_mine", []);

    const { contracts, deployBlock } = await deployTo(chain.url, { MATURATION: 7_200n });
    expect(await created()).to.equal(2);
    expect(deployBlock).to.equal(1);
    expect(await getMaturation(contracts.ResolverWithStore.address)).to.equal(7_200n);
  });

  it("continues with other settings after a transaction that the network refused", async () => {
    const proxy = await startProxy(chain.url, async ({ method }) =>
      method === "eth_sendTransaction" ? { error: "insufficient funds for gas * price + value" } : undefined,
    );
    const refusal = await failure(deployTo(proxy.url, { MATURATION: 7_200n }));
    await proxy.stop();
    expect(refusal).to.equal("insufficient funds for gas * price + value");
    expect(await created()).to.equal(0);

    const { contracts } = await deployTo(chain.url, { MATURATION: 10_800n });
    expect(await created()).to.equal(2);
    expect(await getMaturation(contracts.ResolverWithStore.address)).to.equal(10_800n);
  });

  it("reuses the resolver of an interrupted run, and reports its fixed maturation", async () => {
    let sent = 0;
    const proxy = await startProxy(chain.url, async ({ method }) => {
      if (method === "eth_sendTransaction") sent += 1;
      return sent > 0 && method === "eth_estimateGas" ? { error: "the node is shutting down" } : undefined;
    });
    const refusal = await failure(deployTo(proxy.url, { MATURATION: 7_200n }));
    await proxy.stop();
    expect(refusal).to.contain("the node is shutting down");
    expect(await created()).to.equal(1);

    const { contracts } = await deployTo(chain.url, { MATURATION: 10_800n });
    expect(await created()).to.equal(2);
    expect(await getMaturation(contracts.ResolverWithStore.address)).to.equal(7_200n);
    expect(printed.join("\n")).to.contain(
      "MATURATION is not applied: the resolver's value is fixed at 7200 s",
    );

    const block = await chain.provider.getBlockNumber();
    const written = await readFile(file, "utf8");
    await deployTo(chain.url, { MATURATION: 7_200n });
    expect(await chain.provider.getBlockNumber()).to.equal(block);
    expect(await readFile(file, "utf8")).to.equal(written);

    const { AppRegistry } = contracts;
    await writeFile(file, written.replace(AppRegistry.abiHash, `0x${"00".repeat(32)}`));
    expect(await failure(deployTo(chain.url))).to.match(
      /names contracts that are not on the chain or that other sources have built: AppRegistry\. To deploy these/,
    );
    expect(await chain.provider.getBlockNumber()).to.equal(block);
  });
});

describe("deploy on the local chain", function () {
  this.timeout(TIMEOUT_MS);
  /** Accounts that a Hardhat node funds. */
  const ISSUER = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";
  const OTHER = "0xdD2FD4581271e230360230F9337D5c0430Bf44C0";
  let chain: Chain;
  let folder: string;
  let file: string;

  const deployHere = async (settings: Partial<DeploySettings> = {}) => {
    const asked = { ISSUER_ADDRESS: [], DEPLOYMENT_FILE: file, ...settings };
    return deploy(await connectTo(chain.url), asked, () => {});
  };
  const readResolver = async () => {
    const { contracts } = JSON.parse(await readFile(file, "utf8"));
    const { ethers } = (await connectTo(chain.url)).connection;
    return ethers.getContractAt("ResolverWithStore", contracts.ResolverWithStore.address);
  };
  const listIssuers = async () => (await (await readResolver()).getIssuers()).map(({ issuer }) => issuer);

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
    expect(await registry.resolver()).to.equal(ResolverWithStore.address);
    expect(await registry.metadata()).to.equal(AppMetadata.address);
    expect(await metadata.registry()).to.equal(AppRegistry.address);
    expect(await listIssuers()).to.deep.equal([ISSUER]);
    expect(await (await readResolver()).maturation()).to.equal(HOUR);
    expect(deployment).to.include({ chainId: 31337, network: "localhost" });
    expect(deployment.compiler.settings).to.have.property("viaIR", true);
    const codeAt = (block: number) => ethers.provider.getCode(ResolverWithStore.address, block);
    expect(await codeAt(deployment.deployBlock)).not.to.equal("0x");
    expect(await codeAt(deployment.deployBlock - 1)).to.equal("0x");
  });

  it("adds an issuer and offers the ownership in a later run", async () => {
    const settings: Partial<DeploySettings> = { ISSUER_ADDRESS: [ISSUER, OTHER], OWNER_ADDRESS: OTHER };
    await deployHere(settings);
    expect(await listIssuers()).to.deep.equal([ISSUER, OTHER]);
    expect(await (await readResolver()).pendingOwner()).to.equal(OTHER);
    const block = await chain.provider.getBlockNumber();
    await deployHere(settings);
    expect(await chain.provider.getBlockNumber()).to.equal(block);
  });

  it("refuses a file of another chain", async () => {
    const other = join(folder, "1.json");
    await writeFile(other, (await readFile(file, "utf8")).replace('"chainId": 31337', '"chainId": 1'));
    expect(await failure(deployHere({ DEPLOYMENT_FILE: other }))).to.contain(
      "describes chain 1, but the network is chain 31337",
    );
  });

  it("deploys again if the chain was reset", async () => {
    await chain.stop();
    chain = await startChain(31337, Number(new URL(chain.url).port));
    await deployHere();
    expect(await listIssuers()).to.deep.equal([await (await readResolver()).owner()]);
  });
});
