import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { Problem } from "../../components/record/Problem.tsx";
import { retryAfterHeader } from "../../features/limited/limitedHeader.ts";
import { waitText } from "../../features/limited/waitText.ts";
import { rawPathHeader } from "../../features/service/rawPathHeader.ts";

export const metadata: Metadata = { title: "Too many requests", robots: { index: false } };

/** Stands in for a page that the proxy refuses to build for this client now; it has no address of its own. */
export default async function TooManyRequestsPage() {
  const asked = await headers();
  const seconds = Number(asked.get(retryAfterHeader));
  const address = asked.get(rawPathHeader);
  if (!(seconds > 0) || address === null) notFound();
  return (
    <Problem
      level={1}
      tone="neutral"
      title="You have asked for many pages in a short time"
      why={`Every page here is checked against the chain, so each network may ask for a limited number in ten minutes. Others who share your connection count too. Nothing is wrong with the service or its record; this page can be asked for again in ${waitText(seconds)}.`}
      action={
        <p>
          <a href={address}>Try again</a> then. Forms that you have begun are kept.
        </p>
      }
    />
  );
}
