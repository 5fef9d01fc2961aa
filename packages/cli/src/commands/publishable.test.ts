import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonDocumentError, NotPublishableError, planPublication } from "@app-registry/sdk";
import { nearly, nearlyJson } from "@app-registry/test-kit/arbitraries";
import { runHere } from "@app-registry/test-kit/runHere";
import { restMetadata, testRegistry } from "@app-registry/test-kit/testRegistry";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";

it("publish accepts a document exactly if validate finds no problem", async () => {
  const { publisher: client } = await testRegistry();
  const human = {
    screenshotUrls: ["https://example.com/1.png"],
    platforms: { web: { launchUrl: "https://example.com" } },
  };
  const documents = [restMetadata(), restMetadata("Both", human)];
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(
      "api:mcp",
      "https://example.com/x",
      "javascript:x",
      "\ud800",
      `https://a.b/${"x".repeat(2_100)}`,
    ),
    // These are close to the limit of a copy on the chain.
    fc.integer({ min: 23_900, max: 24_600 }).map((length) => "x".repeat(length)),
    fc.integer({ min: 19, max: 22 }).map((length) => Array.from({ length }, (_, index) => `trait${index}`)),
  );
  const text = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(...documents)
        .chain((one) => nearlyJson(one, values))
        .map((one) => JSON.stringify(one) ?? ""),
    },
    {
      weight: 1,
      arbitrary: nearly(fc.constant(JSON.stringify(documents[0])), [
        '"name":"x",',
        "\ufeff",
        "1e400",
        "9007199254740993",
      ]),
    },
  );
  const did = fc.constantFrom("did:web:fuzz.example.com", `did:pkh:eip155:31337:0x${"ab".repeat(20)}`);
  const directory = await mkdtemp(join(tmpdir(), "app-registry-validate-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const place = join(directory, "fuzz.json");
  const verdicts = { taken: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      text,
      did,
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      async (metadata, name, interfaces, onChainJson) => {
        await writeFile(place, metadata);
        const options = [
          "--interfaces",
          String(interfaces),
          "--did",
          name,
          ...(onChainJson ? [] : ["--no-on-chain-json"]),
        ];
        const { code } = await runHere(["validate", place, ...options]);
        const dataUrl = "https://example.com/fuzz.json";
        const version = { major: 1, minor: 0, patch: 0 };
        // Skip lone surrogates, which a UTF-8 file can't contain.
        const read = await readFile(place, "utf8");
        const plan = { client, did: name, version, metadata: read, interfaces, dataUrl, onChainJson };
        const refused = await planPublication(plan).then(
          () => false,
          (error) =>
            error instanceof NotPublishableError ||
            error instanceof JsonDocumentError ||
            Promise.reject(error),
        );
        verdicts[refused ? "refused" : "taken"] += 1;
        expect(code).toBe(refused ? 1 : 0);
      },
    ),
    { numRuns: 150 },
  );
  expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(5);
});
