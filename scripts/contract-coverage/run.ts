import { coverBehaviour, leftOut } from "./coverBehaviour.ts";

/**
 * `pnpm coverage`: ends with 1 when a behaviour test fails, or when lines or statements of contracts/ (mocks and
 * examples aside) are below 100 %.
 */
const { ok, summary } = await coverBehaviour();
console.log("Left out of this run, and held by pnpm test:");
for (const [file, reason] of Object.entries(leftOut)) console.log(`  ${file.padEnd(40)}${reason}`);
console.log(`\n${summary}`);
process.exit(ok ? 0 : 1);
