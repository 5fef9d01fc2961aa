import { JsonDocumentError, NotPublishableError, planPublication } from "@app-registry/sdk";
import { serveFiles } from "@app-registry/test-kit/httpServer";
import { runHere } from "@app-registry/test-kit/runHere";
import { restMetadata, testRegistry } from "@app-registry/test-kit/testRegistry";
import { expect, it } from "vitest";

const offChain = "--no-on-chain-json";
const large = JSON.stringify(restMetadata("Large", { notes: "x".repeat(25_000) }));

// `checkPublishable` has the rules.
it.each<[string, string, number, string[]]>([
  ["a valid document", JSON.stringify(restMetadata()), 0, []],
  ["a document without required fields", '{"name":"Maps"}', 1, []],
  [
    "a document with a script as its image",
    JSON.stringify(restMetadata("x", { image: "javascript:x" })),
    1,
    [],
  ],
  ["a text without canonical form", '{"name":1,"name":2}', 1, []],
  ["a document that is too large for the chain", large, 1, []],
  ["the same document off the chain", large, 0, [offChain]],
])("publish and validate agree about %s", async (_, metadata, code, options) => {
  const { files, origin } = await serveFiles();
  files.set("/metadata.json", metadata);
  const did = "did:web:validated.example.com";
  const args = ["validate", `${origin}/metadata.json`, "--interfaces", "api", "--did", did, ...options];
  expect((await runHere(args)).code).toBe(code);

  const { publisher: client } = await testRegistry();
  const version = { major: 1, minor: 0, patch: 0 };
  const onChainJson = !options.includes(offChain);
  const dataUrl = "https://example.com/metadata.json";
  const plan = planPublication({ client, did, version, metadata, interfaces: 2, dataUrl, onChainJson });
  const refused = await plan.then(
    () => false,
    (error) =>
      error instanceof NotPublishableError || error instanceof JsonDocumentError || Promise.reject(error),
  );
  expect(refused).toBe(code === 1);
});
