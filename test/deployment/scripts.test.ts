import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Deployment } from "@app-registry/sdk";
import { expect } from "chai";
import { Contract, ContractFactory, id, ZeroHash } from "ethers";
import type { ResolverWithStore } from "../../packages/sdk/generated/ethers/index.js";
import { type Chain, connectTo, startChain } from "./chains.ts";
import { type Explorer, startExplorer } from "./explorer.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const hardhat = join(root, "node_modules/hardhat/dist/src/cli.js");
const config = join(root, "test/deployment/hardhat.config.ts");
const scriptWorker = join(root, "test/deployment/scriptWorker.ts");
const timelockArtifact = createRequire(import.meta.url)(
  "@openzeppelin/contracts/build/contracts/TimelockController.json",
);
/** Time limit in milliseconds. An explorer compiles for half a minute, and much longer on a busy machine. */
const TIMEOUT_MS = 600_000;

/** Public test key of an account that a Hardhat node funds. */
const DEPLOYER_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const DEPLOYER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const ISSUER = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";
/** Default maturation of a deployment, in seconds. */
const MATURATION = 172_800;
const SECOND_ISSUER = "0xdD2FD4581271e230360230F9337D5c0430Bf44C0";

interface Run {
  code: number;
  output: string;
  /** Lines of stderr. */
  errors: string[];
}

describe("The scripts of a deployment on a lasting chain", function () {
  this.timeout(TIMEOUT_MS);
  let chain: Chain;
  let explorer: Explorer;
  let folder: string;
  let file: string;
  /** Contract that owns the resolver, like a multisig. It executes any given call. */
  let timelock: Contract;
  let resolver: ResolverWithStore;

  type Variables = Record<string, string | undefined>;
  const environmentWith = (variables: Variables): NodeJS.ProcessEnv => ({
    ...process.env,
    // Hardhat's keystore does not fall back to the environment while HH_TEST is set.
    HH_TEST: undefined,
    HARDHAT_CONFIG: config,
    HARDHAT_NETWORK: "testnet",
    TEST_IGNITION_FOLDER: join(folder, "ignition"),
    TESTNET_RPC_URL: chain.url,
    DEPLOYMENT_FILE: file,
    ...variables,
  });
  /** Processes that run scripts, by the key of their network, which Hardhat reads once. */
  const workers = new Map<string, ChildProcess>();
  const run = async (parameters: string[], variables: Variables): Promise<Run> => {
    const env = environmentWith(variables);
    const key = `${env.TESTNET_PRIVATE_KEY}`;
    const worker = workers.get(key) ?? fork(scriptWorker, { cwd: root, env });
    workers.set(key, worker);
    worker.send({ parameters, env });
    return (await once(worker, "message"))[0];
  };
  const runDeploy = (variables: Variables) => run(["deploy"], variables);
  const runScript = (script: string, parameters: string[], key?: string) =>
    run([script, ...parameters, "--network", "testnet"], { TESTNET_PRIVATE_KEY: key });
  const runVerify = (variables: Variables): Promise<Run> => {
    const options = { cwd: root, env: environmentWith(variables) };
    return new Promise((resolve) => {
      const parameters = [hardhat, "run", "--no-compile", "scripts/verify.ts"];
      execFile(process.execPath, parameters, options, (error, stdout, stderr) => {
        const errors = stderr.split("\n").filter((line) => line.trim() !== "");
        resolve({ code: error ? Number(error.code) : 0, output: stdout, errors });
      });
    });
  };
  const blocks = () => chain.provider.getBlockNumber();
  const readDeployment = async () => JSON.parse(await readFile(file, "utf8")) as Deployment;

  /** Executes a transaction that a script printed, through the timelock. */
  const execute = async (printed: string) => {
    const [, to = ""] = /^ {2}to +(0x\w{40})$/m.exec(printed) ?? [];
    const [, data = ""] = /^ {2}calldata +(0x\w+)$/m.exec(printed) ?? [];
    expect(printed)
      .to.match(/^ {2}value +0$/m)
      .and.match(/^ {2}chain +66238$/m);
    const call = [to, 0, data, ZeroHash, ZeroHash] as const;
    await (await timelock.getFunction("schedule")(...call, 0)).wait();
    await (await timelock.getFunction("execute")(...call)).wait();
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "testnet-"));
    file = join(folder, "66238.json");
    chain = await startChain(66238);
    explorer = await startExplorer(66238, chain.provider);
    const { signers } = await connectTo(chain.url);
    const proposer = signers[5];
    if (!proposer) throw new Error("The node has too few accounts");
    const factory = new ContractFactory(timelockArtifact.abi, timelockArtifact.bytecode, proposer);
    const { address } = proposer;
    const deployed = await factory.deploy(0, [address], [address], address);
    timelock = new Contract(await deployed.getAddress(), timelockArtifact.abi, proposer);
    await deployed.waitForDeployment();
  });
  after(async () => {
    for (const worker of workers.values()) worker.kill();
    await explorer.stop();
    await chain.stop();
    await rm(folder, { recursive: true });
  });

  it("name every wrong setting in one sentence, before anything is sent", async () => {
    const before = await blocks();
    const { code, errors } = await runDeploy({
      ISSUER_ADDRESS: `vitalik.eth,,${ISSUER.slice(0, -1)}8`,
      MATURATION: "48h",
      OWNER_ADDRESS: `0x${"0".repeat(40)}`,
      DEPLOYMENT_FILE: folder,
      TESTNET_RPC_URL: undefined,
      TESTNET_PRIVATE_KEY: undefined,
    });
    expect(code).to.equal(1);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.match(/^Nothing was sent: /);
    for (const problem of [
      'ISSUER_ADDRESS: "vitalik.eth" is not an address (0x and 40 hexadecimal digits); ',
      'ISSUER_ADDRESS: "" is not an address (0x and 40 hexadecimal digits); ',
      `${ISSUER.slice(0, -1)}8 does not match the checksum in its capitals, so check it for a typing error; `,
      'MATURATION: "48h" is not a whole number of seconds from 3600 to 604800; ',
      "OWNER_ADDRESS: the zero address is not an account; ",
      "TESTNET_RPC_URL is not set; TESTNET_PRIVATE_KEY is not set; ",
      `${folder}: EISDIR`,
    ]) {
      expect(errors[0]).to.contain(problem);
    }
    expect(await blocks()).to.equal(before);
  });

  it("deploy with the network's key, authorise the issuer and offer the ownership", async () => {
    const { code, errors } = await runDeploy({
      ISSUER_ADDRESS: ISSUER,
      MATURATION: "7200",
      OWNER_ADDRESS: String(timelock.target),
      TESTNET_PRIVATE_KEY: DEPLOYER_KEY,
    });
    expect(errors).to.deep.equal([]);
    expect(code).to.equal(0);
    const deployment = await readDeployment();
    expect(deployment).to.include({ chainId: 66238, network: "testnet" });
    const { ethers } = (await connectTo(chain.url)).connection;
    const { address } = deployment.contracts.ResolverWithStore;
    resolver = await ethers.getContractAt("ResolverWithStore", address);
    expect(await resolver.maturation()).to.equal(7_200n);
  });

  it("list the issuers and show the ownership without any key", async () => {
    const list = await runScript("issuers", ["list"]);
    expect(list).to.include({ code: 0 });
    expect(list.output).to.match(new RegExp(`^${ISSUER}  active since 20\\d\\d-.+Z$`, "m"));
    const offer = `Owner ${DEPLOYER}; offered to ${timelock.target}, who has not accepted yet`;
    expect(list.output).to.contain(offer);
    expect((await runScript("ownership", ["show"])).output).to.equal(`${offer}\n`);
  });

  it("print the acceptance for a contract, which takes over the ownership by executing it", async () => {
    const { output } = await runScript("ownership", ["accept"], DEPLOYER_KEY);
    expect(output).to.contain(`network testnet has no key of ${timelock.target}`);
    expect(output).to.contain("acceptOwnership()");
    await execute(output);
    expect(await resolver.owner()).to.equal(timelock.target);
  });

  // @threat contracts: Lose the ownership, or act as the owner
  it("refuse to accept an ownership that was not offered", async () => {
    const { code, errors } = await runScript("ownership", ["accept"]);
    expect(errors).to.deep.equal([
      `There is nothing to accept: ${timelock.target} owns the resolver and has not offered it.`,
    ]);
    expect(code).to.equal(1);
  });

  it("print the transactions for an owning contract to add, retire and distrust an issuer", async () => {
    const added = await runScript("issuers", ["add", SECOND_ISSUER], DEPLOYER_KEY);
    expect(added).to.include({ code: 0 });
    expect(added.output).to.contain(`addIssuer(${SECOND_ISSUER})`);
    expect(added.output).to.contain(`authorises ${SECOND_ISSUER} as an issuer`);
    await execute(added.output);
    expect(await resolver.isIssuer(SECOND_ISSUER)).to.equal(true);

    const retired = await runScript("issuers", ["retire", SECOND_ISSUER]);
    expect(retired.output).to.contain("it may still revoke that");
    await execute(retired.output);
    expect((await resolver.getIssuer(SECOND_ISSUER)).status).to.equal(2n);
    expect((await runScript("issuers", ["list"])).output).to.contain(
      `${SECOND_ISSUER}  retired; its seat is free from`,
    );

    const since = "2026-01-31T12:00:00+02:00";
    const distrusted = await runScript("issuers", ["distrust", SECOND_ISSUER, "--since", since]);
    for (const part of [
      `voids what ${SECOND_ISSUER} stated at 2026-01-31T10:00:00Z or later`,
      "its revocations since then are ignored, honest ones too",
      "expires 23 days after the first distrust at the latest",
      "can't be undone, only moved to an earlier time",
      "controllers that were removed, and blocks",
    ]) {
      expect(distrusted.output).to.contain(part);
    }
    await execute(distrusted.output);
    expect((await resolver.getIssuer(SECOND_ISSUER)).distrustedSince).to.equal(
      BigInt(Date.parse(since) / 1_000),
    );
    expect((await runScript("issuers", ["list"])).output).to.contain(
      `${SECOND_ISSUER}  distrusted since 2026-01-31T10:00:00Z; its seat is free from`,
    );
  });

  it("print the transaction that ends a single statement, once the resolver would accept it", async () => {
    const { connection } = await connectTo(chain.url);
    const did = "did:web:sold.example";
    await connection.provider.request({ method: "hardhat_impersonateAccount", params: [ISSUER] });
    const issuing = resolver.connect(await connection.ethers.getSigner(ISSUER));
    await (await issuing.attestDID(id(did), DEPLOYER, 0)).wait();
    const end = () =>
      runScript("issuers", ["end", ISSUER, "--did", "did:web:SOLD.example", "--controller", DEPLOYER]);

    await connection.provider.request({ method: "evm_increaseTime", params: [MATURATION] });
    const until = Math.floor(Date.now() / 1_000) + MATURATION + 86_400;
    const blocking = resolver.connect(await connection.ethers.getSigner(DEPLOYER));
    await (await blocking.blockController(id(did), SECOND_ISSUER, until)).wait();

    const refused = await end();
    expect(refused.errors).to.have.length(1);
    expect(refused.errors[0]).to.contain("The resolver would refuse this: ");
    expect(refused.output).not.to.contain("calldata");
    expect(refused.code).to.equal(1);
    await execute((await runScript("issuers", ["retire", ISSUER])).output);
    expect(await resolver.checkDID(id(did), DEPLOYER)).to.equal(true);
    const ended = await end();
    expect(ended.output).to.contain(`endDIDAttestation(${id(did)}, ${DEPLOYER}, ${ISSUER})`);
    expect(ended.output).to.contain(`ends what ${ISSUER} attested of ${DEPLOYER}`);
    await execute(ended.output);
    expect(await resolver.checkDID(id(did), DEPLOYER)).to.equal(false);
  });

  // @threat services: A leaked issuer key until the runbook is followed
  it("list an issuer's statements since a time, without any key, with each known DID", async () => {
    const affected = ["affected", ISSUER, "--since"];
    const { code, output } = await runScript("issuers", [...affected, "0", "--json"]);
    expect(code).to.equal(0);
    const [{ at: _, ...statement }, block, ...others] = JSON.parse(output);
    expect(others).to.deep.equal([]);
    expect(block).to.include({ schema: "block", did: null, didHash: id("did:web:sold.example") });
    expect(block).to.include({ stated: "blocked", subject: SECOND_ISSUER, author: DEPLOYER });
    expect(block).to.include({ weight: 1, live: true, effective: true });
    const { output: lines } = await runScript("issuers", [...affected, "0"]);
    expect(lines).to.contain(`wallet ${SECOND_ISSUER}  by ${DEPLOYER}, until `);
    expect(lines).to.contain("with the weight of 1 issuers");
    expect(statement).to.deep.equal({
      ...{ schema: "did-ownership", did: null, didHash: id("did:web:sold.example"), subject: DEPLOYER },
      ...{ stated: "attested", live: false, expiresAt: null, effective: false },
    });
    const refused = await runScript("issuers", ["affected", ISSUER]);
    expect(refused).to.deep.include({ code: 1, errors: ["since: Missing --since <time>."] });
  });

  it("print the owner's transactions if the deployment runs again with another issuer", async () => {
    const before = await blocks();
    const { code, output } = await runDeploy({
      ISSUER_ADDRESS: DEPLOYER,
      TESTNET_PRIVATE_KEY: DEPLOYER_KEY,
    });
    expect(code).to.equal(0);
    expect(output).to.contain(`addIssuer(${DEPLOYER})`);
    expect(await blocks()).to.equal(before);
  });

  it("accept the ownership with the key of the offered account", async () => {
    const offer = await runScript("ownership", ["offer", DEPLOYER.toLowerCase()], DEPLOYER_KEY);
    await execute(offer.output);
    const accepted = await runScript("ownership", ["accept"], DEPLOYER_KEY);
    expect(accepted.output).to.match(new RegExp(`Owner ${DEPLOYER}\n$`));
    expect(await resolver.owner()).to.equal(DEPLOYER);
  });

  // Hardhat compiles the sources of each contract that it submits.
  if (process.env.TEST_LONG) {
    it("verify the contracts on Blockscout and Sourcify", async () => {
      const { code, output, errors } = await runVerify({
        TESTNET_BLOCKSCOUT_URL: `${explorer.url}/`,
        SOURCIFY_URL: explorer.url,
      });
      expect(errors).to.deep.equal([]);
      expect(code).to.equal(0);
      for (const service of ["blockscout", "sourcify"] as const) {
        for (const [contract, { address }] of Object.entries((await readDeployment()).contracts)) {
          expect(output).to.match(new RegExp(`^${service} +${contract} +verified$`, "m"));
          expect(explorer.verified[service].has(address.toLowerCase()), `${service} ${contract}`).to.equal(
            true,
          );
        }
      }
    });

    it("name the failed verification and continue with the others", async () => {
      const { contracts, ...rest } = await readDeployment();
      const swapped = join(folder, "swapped.json");
      const { AppRegistry, AppMetadata } = contracts;
      const wrong = { ...contracts, AppRegistry: { ...AppRegistry, address: timelock.target }, AppMetadata };
      await writeFile(swapped, JSON.stringify({ ...rest, contracts: wrong }));
      const { code, output, errors } = await runVerify({
        DEPLOYMENT_FILE: swapped,
        SOURCIFY_URL: explorer.url,
      });
      expect(output).to.match(/^sourcify +AppMetadata +verified$/m);
      expect(output).to.match(/^sourcify +AppRegistry +(?!verified)/m);
      expect(errors.at(-1)).to.equal("1 of 3 verifications failed.");
      expect(code).to.equal(1);
    });
  }

  it("name the missing settings if no verification service is configured", async () => {
    const { code, errors } = await run(["verify"], {});
    expect(errors).to.have.length(1);
    expect(errors[0]).to.contain("No service is configured for chain 66238");
    expect(code).to.equal(1);
  });
});
