import { connectAppRegistry, fetchDocument, formatProvenLine, verifyApp } from "@app-registry/sdk";
import { getDomain } from "tldts";

export type Verdict = {
  /** Who is proven, and what is not. */
  sentence: string;
  facts: { name: string; outcome: "pass" | "fail" | "unknown"; reason: string }[];
};

/** Each tenant of a shared host, such as `github.io`, is a site of its own. */
const getSite = (host: string) => getDomain(host, { allowPrivateDomains: true });

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
  const report = await verifyApp({ client, did, fetchDocument, siteOf: getSite });

  const { control } = report.facts;
  const facts = Object.entries(report.facts).map(([name, { outcome, reason }]) => ({
    name,
    outcome,
    reason,
  }));
  // `unknown` is not a pass: somebody did not answer, so nothing is known.
  const { before, name, after } = formatProvenLine(report.did, control.outcome === "pass");
  const failing = facts.flatMap((fact) => (fact.outcome === "pass" ? [] : [fact.name]));
  const but = failing.length === 0 ? "" : `, but not proven: ${failing.join(", ")}`;
  const sentence = `${before} ${name}${after}${but}`;
  return { sentence, facts };
}
