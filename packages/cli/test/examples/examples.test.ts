import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EverythingServer, startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { type RegistryService, startRegistryService } from "@app-registry/test-kit/registryService";
import { restMetadata, type TestRegistry, testRegistry } from "@app-registry/test-kit/testRegistry";
import { type Hex, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as writes from "../../../sdk/src/client/writes.ts";
import { toModule } from "./exampleModule.ts";
import { extractExamples } from "./extractExamples.ts";
import { markdownExamples } from "./markdownExamples.ts";
import { createScope, type ExampleScope } from "./scope.ts";
import { setups } from "./setups.ts";
import { typeErrors } from "./typeErrors.ts";

const folder = join(import.meta.dirname, "generated");

/** Pages whose TypeScript blocks run. */
const pages = [
  "README.md",
  ...["register", "verify", "search", "keep-control", "metadata", "sdk"].map((page) => `docs/${page}.md`),
  ...["sdk", "issuer", "outbound"].map((name) => `packages/${name}/README.md`),
];

const { examples: documented, entries } = await extractExamples();
const written = await Promise.all(pages.map(markdownExamples));
const examples = [...documented, ...written.flat()].flatMap(({ name, code }) =>
  code === undefined ? [] : [{ name, code }],
);

const toPath = (name: string) => join(folder, `${name.replace(/\W+/g, "-")}.ts`);

/** Returns true if an example changes its service, so that it needs a separate one. */
const changes = ({ name, code }: { name: string; code: string }) =>
  name in setups || name in writes || /\bclient\.(update|mint)|\bpublishApps?\b|\brunOperation\b/.test(code);

/** Creates a funded account that controls the DID of the README's service, and returns its key. */
async function publisherOfMaps({ chain }: TestRegistry, service: RegistryService): Promise<Hex> {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await chain.setBalance({ address, value: parseEther("1") });
  service.did("maps", address);
  return key;
}

describe("documentation examples", () => {
  let registry: TestRegistry;
  let service: RegistryService;
  let shared: ExampleScope;
  let mcpServer: EverythingServer;

  beforeAll(async () => {
    registry = await testRegistry();
    service = await startRegistryService(registry);
    mcpServer = await startEverythingServer();
    shared = await createScope(registry, service, { mcpUrl: mcpServer.url });
    service.lookupDid = shared.did;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "maps.json"), JSON.stringify(restMetadata("Maps")));
    process.env.PRIVATE_KEY = await publisherOfMaps(registry, service);
    const scopeNames = Object.keys(shared);
    for (const { name, code } of examples) {
      // Replace the default port of the local stack in the examples.
      const here = code
        .replaceAll("localhost:3000", new URL(service.baseUrl).host)
        .replaceAll("did:web:localhost%3A3000:weather", shared.did)
        .replaceAll("localhost%3A3000:maps", `${service.didHost}:maps`);
      await writeFile(toPath(name), toModule({ name, code: here }, { entries, scopeNames }));
    }
  });

  afterAll(async () => {
    await service.close();
    await mcpServer.stop();
    await rm(folder, { recursive: true });
  });

  it("cover every public function", () => {
    const without = documented.filter(({ code }) => code === undefined);
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it.runIf(process.env.TEST_LONG)("have no type errors", async () => {
    expect(await typeErrors(folder)).toBe("");
  });

  it.each(examples)("run: $name", async (example) => {
    const create = setups[example.name] ?? createScope;
    const scope = changes(example) ? await create(registry, service) : shared;
    const { default: run } = await import(/* @vite-ignore */ toPath(example.name));
    await run(scope);
  });
});
