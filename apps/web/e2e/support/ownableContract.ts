import { deployContract } from "@app-registry/test-kit/deployContracts";
import type { Account } from "viem";
import { RPC_URL } from "./chain.ts";

/** Deploys an Ownable contract on the local chain, owned by the deploying account. */
export const deployOwnable = (account: Account) =>
  deployContract(RPC_URL, "examples/OwnableService", [account.address], account);
