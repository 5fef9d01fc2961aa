import type { UserConfig } from "vite";

/** Settings of the Vite that Ponder loads these files with. */
export default {
  server: {
    // Otherwise Vite ends the process at SIGTERM before Ponder has released its lock.
    middlewareMode: true,
    // `ponder start` and `ponder serve` never load a file again.
    watch: process.argv.includes("dev") ? {} : null,
  },
} satisfies UserConfig;
