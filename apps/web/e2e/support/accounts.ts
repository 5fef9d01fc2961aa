/** The account behind "Test account <number>" of the local chain's wallet list. */
export { localAccount as testAccount } from "../../../../scripts/stack/accounts.ts";
