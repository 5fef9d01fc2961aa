"use client";

import { startTransition, useEffect, useRef, useState } from "react";
import { useFormStatus } from "react-dom";
import { LinkButton } from "../../components/controls/controls.tsx";
import { TimedText } from "../../components/record/labels.tsx";
import { isoTime } from "../../lib/record/times.ts";

type CheckAgainButtonProps = {
  /** Text to show during the check. */
  asking: string;
  /** Starts a check without a click, because a fact is unknown. */
  atOnce: boolean;
};

/** Renders a button that submits its form and shows progress. */
export function CheckAgainButton({ asking, atOnce }: CheckAgainButtonProps) {
  const { pending } = useFormStatus();
  const button = useRef<HTMLButtonElement>(null);
  const hasAsked = useRef(false);
  useEffect(() => {
    if (!atOnce || hasAsked.current) return;
    hasAsked.current = true;
    button.current?.form?.requestSubmit();
  }, [atOnce]);
  return (
    <LinkButton ref={button} type="submit" disabled={pending} aria-live="polite">
      {pending ? asking : "Check again"}
    </LinkButton>
  );
}

type CheckNowProps = {
  /** Path of the record in the HTTP API. */
  path: string;
  /** Time of the last check in Unix milliseconds, or null before the first one. */
  probedAt: number | null;
  /** Refreshes the page with the new result. */
  onAnswer: () => Promise<void>;
};

/** Time between polls in milliseconds, and their maximum number. */
const POLL_INTERVAL_MS = 2_000;
const MAX_POLLS = 60;

/** Maximum delay of a check in seconds. The page does not wait for hosts that require a longer one. */
const LONGEST_WAIT = MAX_POLLS * (POLL_INTERVAL_MS / 1_000);

const tooLate = (nextAt: number | null) => nextAt !== null && nextAt - Date.now() / 1_000 > LONGEST_WAIT;

const laterText = (nextAt: number) =>
  `Next check: ${isoTime(nextAt)}. The host doesn't allow an earlier check.`;

const pause = () => new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));

async function ask(path: string, method: "GET" | "POST") {
  const response = await fetch(path, {
    method,
    cache: "no-store",
    // The content type prevents forms of other sites from sending the request.
    ...(method === "POST" && { headers: { "content-type": "application/json" }, body: "{}" }),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Error([answer.title, answer.detail].filter(Boolean).join(". ") || `Status ${response.status}.`);
}

/**
 * Requests a live check and waits for the result.
 * @returns The message to show, or "" once the result is available.
 */
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

/** Renders a button that requests a live check, with its progress or the reason no check is possible. */
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
        <TimedText text={said} />
      </span>
    </>
  );
}
