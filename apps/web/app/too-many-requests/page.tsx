import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { RateLimitProblem, retryAfterHeader, waitText } from "../../features/rate-limit/limited.tsx";
import { rawPathHeader } from "../../features/service/servicePath.ts";

export const metadata: Metadata = { title: "Too many requests", robots: { index: false } };

/** Replaces a page that the proxy refuses because the client is over its limit. It cannot be opened directly. */
export default async function TooManyRequestsPage() {
  const asked = await headers();
  const seconds = Number(asked.get(retryAfterHeader));
  const address = asked.get(rawPathHeader);
  if (!(seconds > 0) || address === null) notFound();
  return (
    <RateLimitProblem
      wait={`Try again in ${waitText(seconds)}.`}
      action={
        <p>
          <a href={address}>Try again</a> then. Forms that you started are not lost.
        </p>
      }
    />
  );
}
