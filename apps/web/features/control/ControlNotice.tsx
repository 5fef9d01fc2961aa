import { Suspense } from "react";
import { withinTimeout } from "../service/withinTimeout.ts";
import { NewcomerList } from "./NewcomerList.tsx";
import { type Newcomers, readCachedNewcomers } from "./readNewcomers.ts";

/** Milliseconds that a page waits for its notice before it shows the rest. */
const RENDER_TIMEOUT_MS = 800;
/** Says on a service's page, to everybody, who asks to control its DID. */
export async function ControlNotice({ did }: { did: string }) {
  const reading = readCachedNewcomers(did);
  const found = await withinTimeout(reading, RENDER_TIMEOUT_MS);
  if (found !== undefined) return <NewcomerList {...found} />;
  return (
    <Suspense>
      <LateNotice reading={reading} />
    </Suspense>
  );
}

/** Without an index or a chain there is no notice; the section about control says that they do not answer. */
async function LateNotice({ reading }: { reading: Promise<Newcomers | undefined> }) {
  const found = await reading.catch(() => undefined);
  return found === undefined ? null : <NewcomerList {...found} />;
}
