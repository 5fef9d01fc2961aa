import type { ReactNode } from "react";
import { Problem } from "../../components/record/Problem.tsx";

/** A wait in words, never shorter than it is. */
export function waitText(seconds: number): string {
  if (seconds === 1) return "1 second";
  if (seconds <= 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

const start = "Too many requests. ";

/** What a form is answered when its client is over the limit. */
export function formatRateLimitMessage(seconds: number): string {
  return `${start}Try again in ${waitText(seconds)}.`;
}

/** When to come again, out of an error that holds {@link formatRateLimitMessage}; undefined for another error. */
export function parseRateLimitMessage(message: string): string | undefined {
  return message.startsWith(start) ? message.slice(start.length) : undefined;
}

/** Request header in which the proxy tells the page of a refused request after how many seconds it may be made again. */
export const retryAfterHeader = "x-app-registry-retry-after";

type LimitedProblemProps = {
  /** When to come again, in a sentence. */
  wait: string;
  action: ReactNode;
};

/** In place of what a client over its limit asked for: why it is not there, and the way back. */
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
