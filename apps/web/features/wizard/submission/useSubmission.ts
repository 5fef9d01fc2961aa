"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { useRegistryClient, useSigner } from "../../wallet/useRegistryClient.ts";
import { runSubmission } from "./runSubmission.ts";
import {
  isSent,
  nextStage,
  type Order,
  parseSubmission,
  type Submission,
  type SubmissionEvent,
  submissionReducer,
} from "./submission.ts";

/**
 * The publication that runs from this page. It is kept under `storageKey`, so that a reload shows it again, and goes
 * on by itself once the transaction is sent; before that it waits for the person.
 */
export function useSubmission(storageKey: string) {
  const client = useRegistryClient();
  const openSigner = useSigner();
  const [submission, setSubmission] = useState<Submission | undefined>(() =>
    parseSubmission(localStorage.getItem(storageKey)),
  );
  const [isRunning, setRunning] = useState(false);
  const latest = useRef({ submission, running: false });

  const report = useCallback(
    (event: SubmissionEvent) => {
      const next = submissionReducer(latest.current.submission, event);
      latest.current.submission = next;
      setSubmission(next);
      if (next) localStorage.setItem(storageKey, JSON.stringify(next));
    },
    [storageKey],
  );

  const run = useCallback(async () => {
    if (latest.current.running) return;
    latest.current.running = true;
    setRunning(true);
    report({ type: "resume" });
    await runSubmission({
      submission: () => {
        if (!latest.current.submission) throw new Error("There is nothing to publish.");
        return latest.current.submission;
      },
      client,
      openSigner,
      report,
    });
    latest.current.running = false;
    setRunning(false);
  }, [report, client, openSigner]);

  /** Publishes an order from the beginning; steps that are done already are quick. */
  const publish = useCallback(
    (order: Order) => {
      report({ type: "start", order });
      void run();
    },
    [report, run],
  );

  /** Keeps it no longer in the browser; the page goes on showing it. */
  const forget = useCallback(() => localStorage.removeItem(storageKey), [storageKey]);

  const discard = useCallback(() => {
    forget();
    latest.current.submission = undefined;
    setSubmission(undefined);
  }, [forget]);

  useEffect(() => {
    const { submission: kept } = latest.current;
    if (kept && isSent(kept) && nextStage(kept) !== undefined) void run();
  }, [run]);

  const isDone = submission !== undefined && nextStage(submission) === undefined;
  return { submission, isRunning, isDone, publish, run, forget, discard };
}
