import { AppRegistryError } from "../errors/appRegistryError.ts";
import type { Problem } from "../metadata/checkPublishable.ts";
import type { AttestationResponse } from "./requestAttestation.ts";

/** Thrown when the metadata can't be published. `problems` lists each place. */
export class NotPublishableError extends AppRegistryError {
  override readonly name = "NotPublishableError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const places = problems.map(({ pointer, message }) => `${pointer || "the document"}: ${message}`);
    super(`The metadata can't be published. ${places.join(" ")}`, {
      action: "Fix each problem, then publish again.",
      docsPath: "/metadata",
    });
    this.problems = problems;
  }
}

/** Thrown when the web service's issuer refused an attestation. `answer` has the reason. */
export abstract class AttestationRefusedError extends AppRegistryError {
  /** Response of the issuer: each attempt, the document to publish, and when control takes effect. */
  readonly answer: AttestationResponse;

  constructor(answer: AttestationResponse, message: string, action: string) {
    super(answer.detail ?? answer.title ?? message, {
      action,
      docsPath: "/sdk#publish",
      retryable: answer.retryable || answer.status === "waiting",
    });
    this.answer = answer;
  }

  /**
   * True if the wallet controls the DID only after some time or an action of another controller. The chain shows which.
   */
  get isWaiting(): boolean {
    const { status, code } = this.answer;
    return status === "waiting" || code === "recently-revoked";
  }

  /** Each attempt, the code of the response and the id of the request. */
  get details(): string[] {
    const { ways, code, status, requestId } = this.answer;
    const tried = ways.map(({ way, reason }) => `${way}: ${reason}`);
    return [...tried, code ?? status, ...(requestId === undefined ? [] : [`Request ${requestId}`])];
  }
}

/** Thrown when the issuer did not attest that the wallet controls the DID. */
export class ControlNotAttestedError extends AttestationRefusedError {
  override readonly name = "ControlNotAttestedError";

  constructor(did: string, answer: AttestationResponse) {
    const message = `The wallet is not attested as a controller of ${did} (${answer.status}).`;
    super(answer, message, controlAction(answer));
  }
}

function controlAction({ code, publish, status }: AttestationResponse): string {
  if (status === "pending") return "Try again in a moment. Retrying is safe.";
  if (publish) {
    const { txt, url } = publish;
    const record = txt ? `, or the DNS TXT record ${txt.record} at ${txt.name}` : "";
    return `Publish a DID document that lists the wallet at ${url}${record}, then publish the service again. Or use a wallet that the DID document already lists.`;
  }
  if (code === "contract-owner-mismatch") return "Publish with the wallet that owns the contract.";
  return "Publish again once the wallet's control takes effect.";
}

/** Thrown when the record is published, but the issuer did not attest its document. */
export class ContentNotAttestedError extends AttestationRefusedError {
  override readonly name = "ContentNotAttestedError";

  constructor(answer: AttestationResponse) {
    const message = `The issuer didn't attest the document (${answer.status}).`;
    super(
      answer,
      message,
      "The record is published. To get its dataHash attested, publish again at any time.",
    );
  }
}
