import Link from "next/link";
import type { ReactNode } from "react";
import { Problem } from "../../components/record/Problem.tsx";
import { type Newcomer, newcomerTexts } from "./newcomer.ts";
import { controlHref } from "./readAccountControl.ts";

interface NewcomerListProps {
  newcomers: readonly Newcomer[];
  /** Further accounts that may wait. */
  more?: number;
  level?: 2 | 3;
  /** What can be done about one; default links to its page. */
  actions?: (newcomer: Newcomer) => ReactNode;
}

/** Who asks to control a DID, one notice each; nothing when nobody does. */
export function NewcomerList({ newcomers, more = 0, level = 2, actions = links }: NewcomerListProps) {
  if (newcomers.length === 0 && more === 0) return null;
  return (
    <ul className="stack" aria-label="Newcomers">
      {newcomers.map((newcomer) => (
        <li key={newcomer.account}>
          <Problem tone="unknown" level={level} {...newcomerTexts(newcomer)} action={actions(newcomer)} />
        </li>
      ))}
      {more === 0 ? null : (
        <li className="soft">
          {more} further {more === 1 ? "account waits" : "accounts wait"} longer than these, or were objected
          to.
        </li>
      )}
    </ul>
  );
}

const links = ({ did, account }: Newcomer) => (
  <div className="row">
    <Link href={`${controlHref(did, account)}#vouch`} prefetch={false}>
      Vouch for it
    </Link>
    <Link href={`${controlHref(did, account)}#object`} prefetch={false}>
      Object to it
    </Link>
  </div>
);
