import type { AttestationAnswer } from "@app-registry/sdk";
import type { SubmissionProblem } from "./submission.ts";

const waitCodes = ["attestation-never-settles", "controller-objected", "recently-revoked"];

/** Whether only time, or another controller, lets the wallet count: the chain says which. */
export const isWait = ({ status, code }: AttestationAnswer): boolean =>
  status === "waiting" || waitCodes.includes(code ?? "");

/** Why control of a DID could not be shown, with the document that would show it. */
export function controlProblem(answer: AttestationAnswer): SubmissionProblem {
  const { code, detail: why, publish, requestId, status, title, ways } = answer;
  const tried = ways.map(({ way, reason }) => `${way}: ${reason}`);
  const request = requestId === undefined ? [] : [`Request ${requestId}`];
  const detail = [...tried, code ?? status, ...request].join("\n");
  if (status === "pending") {
    const action = "Try again in a moment; it is safe to repeat.";
    return { title: "The issuer's transaction is not in a block yet", why, action, detail };
  }
  return {
    title: title ?? "The registry could not see that you control this DID",
    why,
    action: publish
      ? `Publish the document below at its place${publish.txt ? `, or the DNS TXT record ${publish.txt.record} at ${publish.txt.name}` : ""}, then check again. Or connect the wallet that the DID names.`
      : code === "contract-owner-mismatch"
        ? "Connect the wallet that owns the contract, then check again."
        : "Mend what it says, then check again. What you typed stays.",
    detail,
    didDocument: publish,
  };
}
