#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as module from "node:module";

// Node 22.8 and newer keep what they compiled, so that the next start is quick.
module.enableCompileCache?.();
// In the repository the sources run as they are; the packed package holds what was built from them.
const source = new URL("../src/main.ts", import.meta.url);
await import(existsSync(source) ? source.href : new URL("../dist/main.js", import.meta.url).href);
