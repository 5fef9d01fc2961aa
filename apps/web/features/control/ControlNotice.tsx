import { Suspense } from "react";
import { type Newcomers, readCachedNewcomers } from "../../lib/control/readNewcomers.ts";
import type { Block } from "../../lib/server/registry.ts";
import { withinTimeout } from "../../lib/withinTimeout.ts";
import { NewcomerList } from "./NewcomerList.tsx";

/** Time that a page waits for its notice before it renders the rest, in milliseconds. */
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
