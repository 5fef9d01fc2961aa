#!/usr/bin/env node
import { existsSync } from "node:fs";
import * as module from "node:module";

// Node 22.8 and newer keep the compiled code, which makes the next start faster.
module.enableCompileCache?.();
// The repository runs the sources. The packed package holds one bundle of them.
const source = new URL("../src/main.ts", import.meta.url);
await import(existsSync(source) ? source.href : new URL("../dist/main.js", import.meta.url).href);
