import { domainToUnicode } from "node:url";
import { visibleText } from "@app-registry/sdk";
import { getDidHost } from "@app-registry/sdk/internal";
import { ScriptWarning } from "../../components/record/claims.tsx";
import { internationalLabels } from "../../lib/record/claims.ts";

/** Shows an internationalized host in Unicode, with warnings about its letters. The DID contains the ASCII form. */
export function InternationalName({ did }: { did: string }) {
  const host = getDidHost(did);
  if (host === undefined) return null;
  const unicode = domainToUnicode(host);
  const labels = internationalLabels(unicode);
  if (labels.length === 0) return null;
  return (
    <>
      <p className="soft anywhere">
        In Unicode: <bdi translate="no">{visibleText(unicode)}</bdi>. Only the form above is proven.
      </p>
      {labels.map((label) => (
        <ScriptWarning
          key={label.label}
          className={label.warning ? "notice prose" : "soft anywhere"}
          {...label}
        />
      ))}
    </>
  );
}
