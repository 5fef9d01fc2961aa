import { basename } from "node:path";

/**
 * Refuses to pack the package with anything but pnpm: in the repository `exports` names the sources, which the package
 * does not contain, and only pnpm replaces it by that of `publishConfig`.
 */
// The user agent is no witness: an npm that a pnpm script starts inherits pnpm's.
if (!/^pnpm\b/.test(basename(process.env.npm_execpath ?? ""))) {
  console.error(
    "This package is packed and published by pnpm alone: run `npx -y pnpm@10 pack` or `npx -y pnpm@10 publish`.\n" +
      "Other package managers leave its exports pointing at src/, which the package does not contain.",
  );
  process.exit(1);
}
