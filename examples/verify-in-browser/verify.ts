import { connectAppRegistry, fetchDocument, verifyApp } from "@app-registry/sdk";

export type Verdict = {
  /** Who is proven, or that nobody is. */
  sentence: string;
  facts: { name: string; outcome: "pass" | "fail" | "unknown"; reason: string }[];
};

/**
 * Verifies the latest version of a service from this browser: it reads the chain and the document itself.
 *
 * @throws {AppRegistryError} for an invalid DID or a registry that does not answer.
 */
export async function verify(registry: string, did: string): Promise<Verdict> {
  // The registry's web service names the contracts and an RPC endpoint. If you don't trust it, name them yourself:
  // createAppRegistryClient({ deployment, publicClient }).
  const client = await connectAppRegistry(registry);
  // `fetchDocument` also compares the document that its publisher hosts. Without it, only the chain's copy is checked.
  const report = await verifyApp({ client, did, fetchDocument });

  const { control } = report.facts;
  const facts = Object.entries(report.facts).map(([name, { outcome, reason }]) => ({
    name,
    outcome,
    reason,
  }));
  // `unknown` is not a pass: somebody did not answer, so nothing is known.
  const proven = facts.every(({ outcome }) => outcome === "pass");
  const sentence = proven
    ? `Proven: ${control.evidence.controller} controls ${report.did}, version ${report.version}.`
    : `Not proven: ${report.did}`;
  return { sentence, facts };
}
