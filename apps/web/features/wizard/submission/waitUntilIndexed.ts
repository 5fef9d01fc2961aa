import { formatVersion, searchPageSchema, type Version } from "@app-registry/sdk";

const POLL_MS = 700;
const GIVE_UP_MS = 120_000;

/** Search did not show a record in time; it may still. */
class IndexTimeoutError extends Error {
  override readonly name = "IndexTimeoutError";
}

async function isFound(did: string, version: Version): Promise<boolean> {
  const query = new URLSearchParams({ did, status: "any", limit: "100" });
  const response = await fetch(`/api/search?${query}`);
  if (!response.ok) return false;
  const page = searchPageSchema.safeParse(await response.json());
  if (!page.success) return false;
  return page.data.results.some((found) => found.version === formatVersion(version));
}

/**
 * Waits until this registry's search shows a version of a service, asking every 0.7 s.
 * @throws {IndexTimeoutError} after two minutes.
 */
export async function waitUntilIndexed(did: string, version: Version): Promise<void> {
  const deadline = Date.now() + GIVE_UP_MS;
  while (Date.now() < deadline) {
    if (await isFound(did, version).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new IndexTimeoutError("Search does not show the record yet.");
}
