import { withinTimeout } from "@app-registry/server/async";
import Link from "next/link";
import { Suspense } from "react";
import { controlHref, newcomerTexts } from "../../lib/control/accountControl.ts";
import { type Newcomer, type Newcomers, readCachedNewcomers } from "../../lib/control/newcomers.ts";
import type { Block } from "../../lib/server/registry.ts";
import { WaitNotice } from "./statements.tsx";

/** Time that a page waits for its notice, in milliseconds. A late notice is streamed, and needs scripts. */
const RENDER_TIMEOUT_MS = 800;

/** Shows on a service's page which accounts are waiting for control of its DID. */
export async function ControlNotice({ did, block }: { did: string; block: Block }) {
  const reading = readCachedNewcomers(did, block);
  const found = await withinTimeout(reading, RENDER_TIMEOUT_MS);
  if (found !== undefined) return <NewcomerList {...found} />;
  return (
    <Suspense>
      <LateNotice reading={reading} />
    </Suspense>
  );
}

/** Shows the late notice, or nothing if the index or chain is unavailable: the control section reports that. */
async function LateNotice({ reading }: { reading: Promise<Newcomers | undefined> }) {
  const found = await reading.catch(() => undefined);
  return found === undefined ? null : <NewcomerList {...found} />;
}

/** Lists the accounts waiting for control of a DID, one notice each. Renders nothing without any. */
function NewcomerList({ newcomers, more }: Newcomers) {
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

const BlockLink = ({ did, account }: Newcomer) => (
  <Link href={`${controlHref(did, account)}#block`} prefetch={false}>
    For controllers: block this account
  </Link>
);
