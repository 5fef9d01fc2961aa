/** Account of "Test account <number>" in the local chain's wallet list. */
export { localAccount as testAccount } from "../../../../scripts/stack/accounts.ts";
