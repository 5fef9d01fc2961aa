import { withoutKeysOf } from "@app-registry/sdk/internal";
import { HardhatError } from "@nomicfoundation/hardhat-errors";
import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import hre from "hardhat";
import type { NetworkConnection } from "hardhat/types/network";
import { oneSentence } from "./runScript.ts";

const { ENV_VAR_NOT_FOUND } = HardhatError.ERRORS.CORE.GENERAL;

/** A network of hardhat.config.ts whose RPC answers. */
export interface Network {
  name: string;
  chainId: number;
  connection: NetworkConnection;
  /** The accounts that it can sign for; none when it was opened without them. */
  signers: readonly HardhatEthersSigner[];
}

/**
 * Opens a network of hardhat.config.ts.
 * @param accounts Whether the script signs in any case, signs if the accounts are configured, or never signs.
 * @param timeout How long the RPC may take to answer a request, in milliseconds.
 * @throws When its settings are missing or wrong, its RPC does not answer, or it serves another chain.
 */
export async function openNetwork(
  name: string,
  accounts: "required" | "optional" | "unused",
  timeout = 20_000,
): Promise<Network> {
  const config = hre.config.networks[name];
  if (config?.type !== "http") {
    const lasting = Object.entries(hre.config.networks).filter(([, { type }]) => type === "http");
    throw new Error(
      `"${name}" is not a lasting network: choose one by --network, of ${lasting.map(([key]) => key).join(", ")}.`,
    );
  }
  const keys = accounts !== "unused" && Array.isArray(config.accounts) ? config.accounts : [];
  const missing = await Promise.all(keys.map((key) => problemOf(key.getHexString().then(requirePrivateKey))));
  const isSigning =
    accounts !== "unused" && !(accounts === "optional" && missing.some((it) => it?.isMissing));
  const problems = [await problemOf(config.url.getUrl()), ...(isSigning ? missing : [])].filter(
    (it) => it !== undefined,
  );
  if (problems.length > 0) throw new Error(problems.map(({ text }) => text).join("; "));
  const connection = await hre.network.create({
    network: name,
    override: { timeout, ...(!isSigning && { accounts: "remote" }) },
  });
  const { ethers } = connection;
  try {
    // Hardhat compares the chain with that of hardhat.config.ts before it lets this request pass.
    await ethers.provider.getBlockNumber();
    const { chainId } = await ethers.provider.getNetwork();
    const signers = isSigning ? await ethers.getSigners() : [];
    if (accounts === "required" && signers.length === 0) throw new Error("it has no account to send from");
    return { name, chainId: Number(chainId), connection, signers };
  } catch (error) {
    const text = withoutKeysOf(await config.url.getUrl())(oneSentence(error));
    throw new Error(`The network ${name} can't be used: ${text}`);
  }
}

/** Returns a clause for a setting that is missing or wrong, `undefined` if it is right. */
async function problemOf(
  setting: Promise<unknown>,
): Promise<{ isMissing: boolean; text: string } | undefined> {
  try {
    await setting;
    return undefined;
  } catch (error) {
    const isMissing = HardhatError.isHardhatError(error, ENV_VAR_NOT_FOUND);
    return { isMissing, text: isMissing ? `${error.messageArguments.name} is not set` : oneSentence(error) };
  }
}

function requirePrivateKey(text: string): void {
  if (!/^0x[\da-f]{64}$/i.test(text))
    throw new Error("a private key of the network is not 64 hexadecimal digits");
}
