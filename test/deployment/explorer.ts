import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "@app-registry/test-kit/listen";
import type { JsonRpcProvider } from "ethers";
import { artifacts } from "hardhat";
import { toText } from "./chains.ts";

/** Contract with its claimed sources. */
interface Submission {
  address: string;
  /** Standard JSON input. */
  input: string;
  /** `<source>:<contract>`. */
  contract: string;
  compilerVersion: string;
  /** Encoded without 0x. Sourcify does not receive them. */
  constructorArguments?: string;
}

interface Job extends Submission {
  outcome?: "verified" | { failed: string };
}

/** Simulated verification services. */
export interface Explorer {
  url: string;
  /** Verified addresses in lower case, by service. */
  verified: { blockscout: Set<string>; sourcify: Set<string> };
  stop(): Promise<void>;
}

/**
 * Starts the verification APIs of Blockscout (its Etherscan-like `/api`) and Sourcify (v2) over one chain. It verifies a
 * contract if the artifact of that name matches the code on the chain, except for immutables, and if its creation matches
 * the artifact with the given arguments.
 */
export async function startExplorer(chainId: number, provider: JsonRpcProvider): Promise<Explorer> {
  const jobs: Job[] = [];
  const verified = { blockscout: new Set<string>(), sourcify: new Set<string>() };

  const submit = (service: keyof typeof verified, submission: Submission): number => {
    const job: Job = submission;
    void judge(provider, submission)
      .catch((error: Error) => error.message)
      .then((problem) => {
        if (problem === undefined) verified[service].add(submission.address.toLowerCase());
        job.outcome = problem === undefined ? "verified" : { failed: problem };
      });
    return jobs.push(job) - 1;
  };

  const blockscout = async (request: IncomingMessage, query: URLSearchParams): Promise<Answer> => {
    const address = query.get("address") ?? "";
    switch (query.get("action")) {
      case "getsourcecode": {
        const result = verified.blockscout.has(address.toLowerCase()) ? [{ SourceCode: "contract" }] : [{}];
        return [200, { status: "1", message: "OK", result }];
      }
      case "verifysourcecode": {
        const form = new URLSearchParams(await toText(request));
        const field = (name: string) => form.get(name) ?? "";
        if (field("codeformat") !== "solidity-standard-json-input") return [400, { result: "codeformat" }];
        const guid = submit("blockscout", {
          address: field("contractaddress"),
          input: field("sourceCode"),
          contract: field("contractname"),
          compilerVersion: field("compilerversion"),
          constructorArguments: field("constructorArguments"),
        });
        return [200, { status: "1", message: "OK", result: String(guid) }];
      }
      case "checkverifystatus": {
        const outcome = jobs[Number(query.get("guid"))]?.outcome;
        const said = outcome === "verified" ? "Pass - Verified" : "Fail - Unable to verify";
        return [200, { status: "1", message: "OK", result: outcome ? said : "Pending in queue" }];
      }
      default:
        return [404, { result: "no such action" }];
    }
  };

  const sourcify = async (request: IncomingMessage, path: string): Promise<Answer> => {
    const [, kind, chain = "", address] =
      /^\/v2\/(contract|verify)\/(\w+)(?:\/(0x\w{40}))?$/.exec(path) ?? [];
    const match = (of: string, isVerified: boolean) => {
      const value = isVerified ? "exact_match" : null;
      return {
        match: value,
        creationMatch: value,
        runtimeMatch: value,
        chainId: String(chainId),
        address: of,
      };
    };
    if (address && chain !== String(chainId)) {
      return [400, { customCode: "unsupported_chain", message: `No chain ${chain}`, errorId: "1" }];
    }
    if (kind === "contract" && address) {
      const isVerified = verified.sourcify.has(address.toLowerCase());
      return [isVerified ? 200 : 404, match(address, isVerified)];
    }
    if (kind === "verify" && address) {
      const body = JSON.parse(await toText(request));
      const verificationId = submit("sourcify", {
        address,
        input: JSON.stringify(body.stdJsonInput),
        contract: body.contractIdentifier,
        compilerVersion: body.compilerVersion,
      });
      return [202, { verificationId: String(verificationId) }];
    }
    const job = jobs[Number(chain)];
    if (kind !== "verify" || !job) return [404, { customCode: "not_found", message: path, errorId: "1" }];
    const { outcome } = job;
    const failed = typeof outcome === "object" ? outcome.failed : undefined;
    return [
      200,
      {
        isJobCompleted: outcome !== undefined,
        verificationId: chain,
        jobStartTime: "2026-01-01T00:00:00Z",
        contract: match(job.address, outcome === "verified"),
        ...(failed ? { error: { customCode: "no_match", message: failed, errorId: "1" } } : {}),
      },
    ];
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://explorer");
    const isBlockscout = pathname === "/api" && searchParams.get("module") === "contract";
    answer(response, await (isBlockscout ? blockscout(request, searchParams) : sourcify(request, pathname)));
  });
  const { origin, close } = await listen(server);
  return { url: origin, verified, stop: close };
}

type Answer = [status: number, body: unknown];

function answer(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Returns the problem of a submission, or `undefined` if it is valid. */
async function judge(provider: JsonRpcProvider, submission: Submission): Promise<string | undefined> {
  const [source = "", name = ""] = submission.contract.split(":");
  const { bytecode, deployedBytecode, immutableReferences = {} } = await artifacts.readArtifact(name);
  if (!submission.compilerVersion.startsWith("v0.8.30+")) return "another compiler";
  if (!(source in JSON.parse(submission.input).sources)) return "the sources lack the contract";
  const code = await provider.getCode(submission.address);
  const comparable = (text: string) => {
    const bytes = Buffer.from(text.slice(2), "hex");
    for (const { start, length } of Object.values(immutableReferences).flat())
      bytes.fill(0, start, start + length);
    return bytes.toString("hex");
  };
  if (comparable(deployedBytecode) !== comparable(code)) return "the compiled code is not the chain's";

  const given = submission.constructorArguments;
  if (given === undefined) return undefined;
  const creation = await getCreation(provider, submission.address);
  // A contract created by another one has no creation transaction, and no arguments here.
  return bytecode + given === (creation ?? bytecode) ? undefined : "other constructor arguments";
}

/** Returns the input of the transaction that created a contract. */
async function getCreation(provider: JsonRpcProvider, address: string): Promise<string | undefined> {
  for (let block = await provider.getBlockNumber(); block > 0; block--) {
    for (const hash of (await provider.getBlock(block))?.transactions ?? []) {
      const receipt = await provider.getTransactionReceipt(hash);
      if (receipt?.contractAddress === address) return (await provider.getTransaction(hash))?.data;
    }
  }
  return undefined;
}
