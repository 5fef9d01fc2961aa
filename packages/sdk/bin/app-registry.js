#!/usr/bin/env node
import { existsSync } from "node:fs";

// In the repository the sources run as they are; the packed package holds what was built from them.
const source = new URL("../src/cli/main.ts", import.meta.url);
await import(existsSync(source) ? source.href : new URL("../dist/src/cli/main.js", import.meta.url).href);
