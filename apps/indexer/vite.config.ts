import type { UserConfig } from "vite";

/** Settings of Vite, with which Ponder loads these files. */
export default {
  server: {
    // Without this, Vite ends the process at SIGTERM before Ponder has released its lock.
    middlewareMode: true,
    // `ponder start` and `ponder serve` never reload a file.
    watch: process.argv.includes("dev") ? {} : null,
  },
} satisfies UserConfig;
