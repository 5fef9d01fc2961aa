import type { Metadata } from "next";
import Link from "next/link";
import { Problem } from "../components/record/Problem.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Problem
      level={1}
      tone="neutral"
      title="There is no page at this address"
      why="The address may be mistyped, or the service is not in this register."
      action={
        <p>
          <Link href="/apps">Search the services</Link> or go to the <Link href="/">home page</Link>.
        </p>
      }
    />
  );
}
