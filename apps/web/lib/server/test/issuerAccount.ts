import type { Hex, LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** Example of an operator's ISSUER_ACCOUNT_MODULE. */
export default (): LocalAccount => privateKeyToAccount(process.env.TEST_ISSUER_KEY as Hex);
