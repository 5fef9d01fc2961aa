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
      why="The address may be mistyped, or it belongs to something that this site does not hold."
      action={
        <p>
          <Link href="/apps">Search the services</Link> or go to the <Link href="/">first page</Link>.
        </p>
      }
    />
  );
}
