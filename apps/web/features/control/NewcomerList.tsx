import Link from "next/link";
import type { ReactNode } from "react";
import { AddressedText, TimedText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { type Newcomer, newcomerTexts } from "../../lib/control/newcomer.ts";
import { controlHref } from "../../lib/control/readAccountControl.ts";

interface NewcomerListProps {
  newcomers: readonly Newcomer[];
  /** Number of further accounts that may be waiting. */
  more: number;
}

/** Lists the accounts waiting for control of a DID, one notice each. Renders nothing without any. */
export function NewcomerList({ newcomers, more }: NewcomerListProps) {
  if (newcomers.length === 0 && more === 0) return null;
  return (
    <ul className="stack" aria-label="Accounts waiting for control">
      {newcomers.map((newcomer) => (
        <li key={newcomer.account}>
          <WaitNotice {...newcomerTexts(newcomer)} action={<BlockLink {...newcomer} />} />
        </li>
      ))}
      {more === 0 ? null : (
        <li className="soft">
          {more} more {more === 1 ? "account waits longer or is" : "accounts wait longer or are"} blocked.
        </li>
      )}
    </ul>
  );
}

type WaitNoticeProps = { title: string; why: string; level?: 2 | 3; action?: ReactNode };

/** Renders a notice about a waiting account. */
export const WaitNotice = ({ title, why, ...notice }: WaitNoticeProps) => (
  <Problem tone="unknown" title={<TimedText text={title} />} why={<AddressedText text={why} />} {...notice} />
);

const BlockLink = ({ did, account }: Newcomer) => (
  <Link href={`${controlHref(did, account)}#block`} prefetch={false}>
    Block account
  </Link>
);
