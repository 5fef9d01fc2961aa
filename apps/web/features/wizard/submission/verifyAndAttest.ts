import type { Address, Hex } from "viem";

/** What the registry's issuer attests: control of the DID, or the hash that a record of it carries. */
export type Schema = "did-ownership" | "data-hash";

/** The issuer's answer, as far as the wizard acts on it (`POST /api/verify-and-attest`). */
export interface AttestAnswer {
  ok: boolean;
  status: string;
  /** Unix seconds from which a newcomer on a claimed DID counts. */
  countsFrom?: number | undefined;
  txHashes: Hex[];
  /** The did.json that would name the wallet, when that is what is missing. */
  publish?: { url: string; text: string } | undefined;
  /** Every way that was tried to show control, and why it failed. */
  ways: { way: string; reason: string }[];
  /** Stable code of a refusal. */
  code?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  requestId?: string | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function readPublish(value: unknown): AttestAnswer["publish"] {
  const { url, document } = (value ?? {}) as Record<string, unknown>;
  return typeof url === "string" && typeof document === "string" ? { url, text: document } : undefined;
}

function readAnswer(body: unknown, requestId: string | null): AttestAnswer {
  const answer = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const countsFrom = answer.countsFrom;
  return {
    ok: answer.ok === true,
    status: text(answer.status) ?? "failed",
    countsFrom: typeof countsFrom === "number" ? countsFrom : undefined,
    txHashes: Array.isArray(answer.txHashes) ? (answer.txHashes as Hex[]) : [],
    publish: readPublish(answer.publish),
    ways: Array.isArray(answer.ways) ? (answer.ways as AttestAnswer["ways"]) : [],
    code: text(answer.code),
    title: text(answer.title),
    detail: text(answer.detail),
    requestId: requestId ?? undefined,
  };
}

/** Asks this registry's issuer to check a DID or a hash and to attest it. Never throws for an answer that refuses. */
export async function verifyAndAttest(body: {
  did: string;
  connectedAddress: Address;
  requiredSchemas: Schema[];
  major?: number;
}): Promise<AttestAnswer> {
  const response = await fetch("/api/verify-and-attest", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  return readAnswer(answer, response.headers.get("x-request-id"));
}
