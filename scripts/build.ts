import { buildContracts } from "./stack/buildContracts.ts";

/** `pnpm build`: the contracts, and what the other parts read of them. */
await buildContracts().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
