import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rootDirectory } from "../../../stack/processes.ts";
import { type HandlerInput, handlers } from "./handlerRegistry.ts";

const indexerSource = (path: string) => pathToFileURL(join(rootDirectory, "apps/indexer", path)).href;

const registry = new URL("handlerRegistry.ts", import.meta.url).href;

/** The modules that Ponder makes for an indexer's sources, and the one that asks a node. */
const virtualModules: Record<string, string> = {
  "ponder:schema": indexerSource("ponder.schema.ts"),
  "ponder:registry": registry,
  "./document/nodeAhead.ts": registry,
};

registerHooks({
  resolve(specifier, context, next) {
    const url = virtualModules[specifier];
    return url ? { url, shortCircuit: true } : next(specifier, context);
  },
});

/** The indexer's own event handlers: hands an event to the one of its name. */
export async function loadHandlers(): Promise<(event: string, input: HandlerInput) => Promise<void>> {
  for (const contract of ["AppRegistry", "AppMetadata"]) await import(indexerSource(`src/${contract}.ts`));
  return async (event, input) => {
    const handler = handlers.get(event);
    if (!handler) throw new Error(`The indexer handles no ${event}.`);
    await handler(input);
  };
}
