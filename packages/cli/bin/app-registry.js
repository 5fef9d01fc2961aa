#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as module from "node:module";

// Enable the compile cache (Node.js 22.8 and newer) for faster starts.
module.enableCompileCache?.();
// Run the sources in the repository. The published package contains only the build.
const source = new URL("../src/main.ts", import.meta.url);
await import(existsSync(source) ? source.href : new URL("../dist/main.js", import.meta.url).href);
