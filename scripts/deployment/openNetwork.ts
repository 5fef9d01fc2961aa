import { createKeyRedactor } from "@app-registry/sdk/internal";
import { HardhatError } from "@nomicfoundation/hardhat-errors";
import hre from "hardhat";
import { oneSentence } from "./runScript.ts";

const { ENV_VAR_NOT_FOUND } = HardhatError.ERRORS.CORE.GENERAL;

/** Network of hardhat.config.ts whose RPC responds. `signers` is empty if it was opened without accounts. */
export type Network = Awaited<ReturnType<typeof openNetwork>>;

/**
 * Opens a network of hardhat.config.ts.
 * @param accounts Use of the accounts: the script always signs, signs if accounts are configured, or never signs.
 * @param timeout Time limit of an RPC request, in milliseconds.
 * @throws Error if settings are missing or invalid, or if the RPC is unavailable or serves another chain.
 */
export async function openNetwork(
  name: string,
  accounts: "required" | "optional" | "unused",
  timeout = 20_000,
) {
  const config = hre.config.networks[name];
  if (config?.type !== "http") {
    const lasting = Object.entries(hre.config.networks).filter(([, { type }]) => type === "http");
    throw new Error(
      `"${name}" is not a lasting network: choose one by --network, of ${lasting.map(([key]) => key).join(", ")}.`,
    );
  }
  const keys = accounts !== "unused" && Array.isArray(config.accounts) ? config.accounts : [];
  const problems = (
    await Promise.all(keys.map((key) => getProblem(key.getHexString().then(requireKey))))
  ).flat();
  const isSigning = accounts === "required" || (accounts === "optional" && !problems.some(isAbsence));
  const all = [...(await getProblem(config.url.getUrl())), ...(isSigning ? problems : [])];
  if (all.length > 0) throw new Error(all.join("; "));
  const connection = await hre.network.create({
    network: name,
    override: { timeout, ...(!isSigning && { accounts: "remote" }) },
  });
  const { ethers } = connection;
  try {
    // Hardhat checks the chain id of hardhat.config.ts before it forwards this request.
    await ethers.provider.getBlockNumber();
    const { chainId } = await ethers.provider.getNetwork();
    const signers = isSigning ? await ethers.getSigners() : [];
    if (accounts === "required" && signers.length === 0) throw new Error("it has no account to send from");
    return { name, chainId: Number(chainId), connection, signers };
  } catch (error) {
    const text = createKeyRedactor(await config.url.getUrl())(oneSentence(error));
    throw new Error(`The network ${name} can't be used: ${text}`);
  }
}

/** Returns the problem of a setting, or an empty list if it is valid. */
const getProblem = (setting: Promise<unknown>): Promise<string[]> =>
  setting.then(
    () => [],
    (error: unknown) =>
      HardhatError.isHardhatError(error, ENV_VAR_NOT_FOUND)
        ? [`${error.messageArguments.name} is not set`]
        : [oneSentence(error)],
  );

const isAbsence = (problem: string) => problem.endsWith(" is not set");

function requireKey(text: string): void {
  if (/^0x[\da-f]{64}$/i.test(text)) return;
  throw new Error("a private key of the network is not 64 hexadecimal digits");
}
