import { AppRegistryError } from "../errors/appRegistryError.ts";
import type { Problem } from "../metadata/problem.ts";
import type { AttestationResponse } from "./requestAttestation.ts";

/** The metadata can't be published as it is. `problems` lists each place. */
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

/** The web service's issuer refused an attestation. `answer` says why. */
export abstract class AttestationRefusedError extends AppRegistryError {
  /** The issuer's answer: each way that was tried, what to publish, when control takes effect. */
  readonly answer: AttestationResponse;

  constructor(answer: AttestationResponse, message: string, action: string) {
    super(answer.detail ?? answer.title ?? message, {
      action,
      docsPath: "/sdk#publish",
      retryable: answer.retryable || answer.status === "waiting",
    });
    this.answer = answer;
  }

  /** Only time, or another controller, gives the wallet control; the chain says which. */
  get isWaiting(): boolean {
    const { status, code } = this.answer;
    return status === "waiting" || code === "recently-revoked";
  }

  /** Each way that was tried, the answer's code and the request's id. */
  get details(): string[] {
    const { ways, code, status, requestId } = this.answer;
    const tried = ways.map(({ way, reason }) => `${way}: ${reason}`);
    return [...tried, code ?? status, ...(requestId === undefined ? [] : [`Request ${requestId}`])];
  }
}

/** The issuer didn't attest that the wallet controls the DID. */
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

/** The record is published, but the issuer didn't attest its document. */
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
