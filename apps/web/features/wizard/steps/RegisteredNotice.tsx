import { appPath } from "@app-registry/sdk";
import { Problem } from "../../../components/record/Problem.tsx";
import { canonicalDid } from "../draft/problems.ts";
import { RecordName } from "../source/RecordName.tsx";
import { useWizard } from "../WizardContext.tsx";

/** Notes that a draft's DID is already registered, unless the draft follows that record. */
export function RegisteredNotice() {
  const { draft, registered, follows } = useWizard();
  if (registered?.latestMajor === undefined || registered.did !== canonicalDid(draft.did)) return null;
  const { did, latestMajor, record } = registered;
  if (record && follows?.did === did) return null;
  const next = `/register?${new URLSearchParams({ did, major: String(latestMajor) })}`;
  return (
    <Problem
      tone="neutral"
      level={3}
      title={record ? "This DID is already registered" : `Major version ${latestMajor} is already registered`}
      why={
        record ? (
          <>
            Publishing adds a new version of <RecordName did={did} />. It doesn't register another service.
          </>
        ) : (
          `Publishing ${draft.version} creates a separate record. The record of major version ${latestMajor} stays as it is.`
        )
      }
      action={
        <div className="bar">
          <a href={appPath(did)}>View service</a>
          {follows ? null : <a href={next}>Publish from its current version</a>}
        </div>
      }
    />
  );
}
