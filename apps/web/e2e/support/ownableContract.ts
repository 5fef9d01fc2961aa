import { deployContract } from "@app-registry/test-kit/deployContracts";
import type { Account } from "viem";

/** Deploys an Ownable contract on the local chain, owned by the deploying account. */
export const deployOwnable = (account: Account) =>
  deployContract(
    process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545",
    "examples/OwnableService",
    [account.address],
    account,
  );
