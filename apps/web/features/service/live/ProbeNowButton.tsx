"use client";

import { startTransition, useState } from "react";
import { LinkButton } from "../../../components/controls/controls.tsx";

type CheckNowProps = {
  /** Path of the record in the HTTP API. */
  path: string;
  /** When it was asked last, Unix milliseconds; null before the first time. */
  probedAt: number | null;
  /** Shows the page with the new answer. */
  onAnswer: () => Promise<void>;
};

/** Milliseconds between two looks for the answer, and how many. */
const POLL_INTERVAL_MS = 2_000;
const MAX_POLLS = 60;

/** A host that wants to be left alone for longer than these seconds is not waited for. */
const LONGEST_WAIT = MAX_POLLS * (POLL_INTERVAL_MS / 1_000);

const tooLate = (nextAt: number | null) => nextAt !== null && nextAt - Date.now() / 1_000 > LONGEST_WAIT;

const laterText = (nextAt: number) =>
  `Next check: ${new Date(nextAt * 1_000).toLocaleString("en-GB")}. The limits for its host allow none before.`;

const pause = () => new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));

async function ask(path: string, method: "GET" | "POST") {
  const response = await fetch(path, {
    method,
    cache: "no-store",
    // A body of this type keeps other sites from sending the request.
    ...(method === "POST" && { headers: { "content-type": "application/json" }, body: "{}" }),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Error([answer.title, answer.detail].filter(Boolean).join(". ") || `Status ${response.status}.`);
}

/** Has the registry ask the service now, and waits for what it answers. @returns what there is to say; "" when it answered. */
async function check({ path, probedAt }: Pick<CheckNowProps, "path" | "probedAt">): Promise<string> {
  const { nextAt } = await ask(path, "POST");
  if (tooLate(nextAt)) return laterText(nextAt);
  for (let look = 0; look < MAX_POLLS; look++) {
    await pause();
    const { probe, nextAt: next } = await ask(path, "GET");
    if (probe !== null && probe.probedAt !== probedAt) return "";
    if (tooLate(next)) return laterText(next);
  }
  return "Check queued. Reload this page later to see the result.";
}

/** Asks the service now, says what is going on, and what keeps it from being asked. */
export function ProbeNowButton({ path, probedAt, onAnswer }: CheckNowProps) {
  const [isAsking, setAsking] = useState(false);
  const [said, setSaid] = useState("");
  const start = async () => {
    setAsking(true);
    setSaid("Checking…");
    try {
      const text = await check({ path, probedAt });
      if (text === "") startTransition(onAnswer);
      setSaid(text || "Checked just now.");
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
    setAsking(false);
  };
  return (
    <>
      <LinkButton disabled={isAsking} onClick={start}>
        Check now
      </LinkButton>
      <span role="status" className="quiet">
        {said}
      </span>
    </>
  );
}
