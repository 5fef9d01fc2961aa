import type { ReactNode } from "react";
import { Problem } from "../../components/record/Problem.tsx";

/** Formats a waiting time, rounded up. */
export function waitText(seconds: number): string {
  if (seconds === 1) return "1 second";
  if (seconds <= 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

const start = "Too many requests. ";

/** Formats the error message for a form whose client is over the limit. */
export function formatRateLimitMessage(seconds: number): string {
  return `${start}Try again in ${waitText(seconds)}.`;
}

/** Returns the waiting time in an error from {@link formatRateLimitMessage}, or `undefined` for other errors. */
export function parseRateLimitMessage(message: string): string | undefined {
  return message.startsWith(start) ? message.slice(start.length) : undefined;
}

/** Request header in which the proxy passes the waiting time in seconds to the page of a refused request. */
export const retryAfterHeader = "x-app-registry-retry-after";

type LimitedProblemProps = {
  /** Sentence that says when to try again. */
  wait: string;
  action: ReactNode;
};

/** Replaces a page whose client is over its limit, with the reason and a way to retry. */
export function RateLimitProblem({ wait, action }: LimitedProblemProps) {
  return (
    <Problem
      level={1}
      tone="neutral"
      title="Too many requests"
      why={`We check every page against the chain, so each network can load only a limited number every ten minutes. Others on your connection count towards the limit. The limit says nothing about the service or its record. ${wait}`}
      action={action}
    />
  );
}
