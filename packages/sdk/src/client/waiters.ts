export { waitForReceipt } from "./waitForReceipt.ts";
export { waitUntilIndexed } from "./waitUntilIndexed.ts";
