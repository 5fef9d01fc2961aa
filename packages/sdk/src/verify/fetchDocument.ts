import { AppRegistryError } from "../errors/appRegistryError.ts";
import { isTransientStatus } from "../errors/transientStatus.ts";
import { MAX_DOCUMENT_SIZE } from "../metadata/limits.ts";
import { withoutKey } from "../privateKey.ts";

/** Fetches the text of a document. Throws if its host does not serve it. */
export type FetchDocument = (url: string, options: { signal: AbortSignal }) => Promise<string>;

/** Thrown when the host of a document does not serve it. `retryable` if the same request may succeed later. */
export class DocumentUnavailableError extends AppRegistryError {
  override readonly name = "DocumentUnavailableError";

  constructor(url: string, reason: string, options: { retryable: boolean; cause?: unknown }) {
    super(`Couldn't load the document at ${url}: ${reason}.`, {
      action: options.retryable
        ? "Try again in a moment, or contact the publisher."
        : "Check the URL, or ask the publisher to serve the document there.",
      docsPath: "/sdk#verify",
      ...options,
    });
  }
}

/**
 * Fetches a document with the platform's `fetch`, at most 1 MiB. It requests any http or https address, also one in the
 * network of its process, and follows up to 20 redirects to any such address. A dataUrl is a stranger's text: outside a
 * browser, use the guarded fetcher of `@app-registry/outbound` instead, which reaches public addresses only.
 *
 * @throws {DocumentUnavailableError} when the host does not serve UTF-8 text of at most 1 MiB.
 * @example
 * const text = await fetchDocument(dataUrl, { signal: AbortSignal.timeout(5_000) });
 * canonicalizeJson(text) === metadataJson; // true
 */
export const fetchDocument: FetchDocument = (url, { signal }) => requestDocument(url, { signal, fetch });

/** Fetches a document like {@link fetchDocument}, with a `fetch` of the caller. */
export async function requestDocument(
  url: string,
  { signal, fetch }: { signal: AbortSignal; fetch: typeof globalThis.fetch },
): Promise<string> {
  if (!/^https?:\/\//i.test(url)) throw notServed(withoutKey(String(url)), "it is not an http or https URL");
  try {
    const response = await fetch(url, { signal, headers: { accept: "application/json" } });
    if (!response.ok) {
      const retryable = isTransientStatus(response.status);
      const reason = `its host returned HTTP ${response.status}`;
      throw new DocumentUnavailableError(url, reason, { retryable });
    }
    return decode(url, await readBounded(url, response));
  } catch (error) {
    if (error instanceof AppRegistryError) throw error;
    throw new DocumentUnavailableError(url, "its host is not responding", { retryable: true, cause: error });
  }
}

const notServed = (url: string, reason: string, cause?: unknown) =>
  new DocumentUnavailableError(url, reason, { retryable: false, cause });

async function readBounded(url: string, { body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    chunks.push(next.value);
    size += next.value.byteLength;
    if (size > MAX_DOCUMENT_SIZE) {
      await reader?.cancel();
      throw notServed(url, `it is larger than ${MAX_DOCUMENT_SIZE} bytes`);
    }
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Decodes UTF-8. Keeps a byte order mark, so that canonicalization can reject it by name. */
function decode(url: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw notServed(url, "it is not UTF-8 text", cause);
  }
}
