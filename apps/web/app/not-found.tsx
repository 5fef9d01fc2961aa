import type { Metadata } from "next";
import Link from "next/link";
import { Problem } from "../components/record/Problem.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Problem
      level={1}
      tone="neutral"
      title="Page not found"
      why="Check the address. If you're looking for a service, it may not be registered here."
      action={
        <p>
          <Link href="/apps">Search the services</Link> or go to the <Link href="/">home page</Link>.
        </p>
      }
    />
  );
}
