import type { Hex, LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** An operator's ISSUER_ACCOUNT_MODULE. */
export default (): LocalAccount => privateKeyToAccount(process.env.TEST_ISSUER_KEY as Hex);
