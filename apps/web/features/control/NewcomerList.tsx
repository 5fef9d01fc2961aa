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
    <ul className="stack" aria-label="Accounts waiting for control">
      {newcomers.map((newcomer) => (
        <li key={newcomer.account}>
          <Problem tone="unknown" level={level} {...newcomerTexts(newcomer)} action={actions(newcomer)} />
        </li>
      ))}
      {more === 0 ? null : (
        <li className="soft">
          {more} more {more === 1 ? "account has" : "accounts have"} longer waits or were objected to.
        </li>
      )}
    </ul>
  );
}

const links = ({ did, account }: Newcomer) => (
  <div className="row">
    <Link href={`${controlHref(did, account)}#vouch`} prefetch={false}>
      Vouch
    </Link>
    <Link href={`${controlHref(did, account)}#object`} prefetch={false}>
      Object
    </Link>
  </div>
);
