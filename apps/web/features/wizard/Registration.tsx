import {
  type AppRegistryClient,
  type CanonicalDid,
  compareVersions,
  formatVersion,
  getAtPointer,
  getEndpoints,
  isJsonObject,
  type JsonObject,
  MCP_ENDPOINT_NAME,
  type Metadata,
  nextVersions,
  raiseVersion,
  readRegisteredDid,
  toAppRegistryError,
} from "@app-registry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DidText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { readRecordedDocument } from "../../components/record/readRecordedDocument.ts";
import type { RegistryConnection } from "../wallet/config.ts";
import { QueryBoundary } from "../wallet/QueryBoundary.tsx";
import { useRegistryClient, useRegistryConnection } from "../wallet/useRegistryClient.ts";
import { WalletProviders } from "../wallet/WalletProviders.tsx";
import { type Draft, emptyDraft } from "./draft/draft.ts";
import { canonicalDid, readDid } from "./draft/problems.ts";
import { Wizard } from "./Wizard.tsx";
import type { FollowedVersion } from "./WizardContext.tsx";

interface RegistrationProps {
  connection: RegistryConnection;
  existing?: { did: string; major: number | undefined } | undefined;
  /** DID or address of the new service, or "". */
  service: string;
}

/** Shows the wizard with its wallet, for a new service or for the next version of one. */
export function Registration({ connection, existing, service }: RegistrationProps) {
  return (
    <WalletProviders connection={connection}>
      {existing ? <NextVersion {...existing} /> : <NewService source={service} />}
    </WalletProviders>
  );
}

function NewService({ source }: { source: string }) {
  const { deployment } = useRegistryConnection();
  const [prepared] = useState(() =>
    source === "" ? undefined : { ...emptyDraft(), did: canonicalDid(source) ?? "", source },
  );
  return <Wizard draftKey={{ chainId: deployment.chainId }} prepared={prepared} />;
}

function NextVersion({ did: typed, major }: { did: string; major: number | undefined }) {
  const client = useRegistryClient();
  const { chainId } = client.deployment;
  const { did, reason } = readDid(typed);
  const existing = useQuery({
    queryKey: ["existing", chainId, did, major],
    queryFn: () => (did ? loadExistingService(client, did, major) : Promise.reject(new Error(reason))),
    enabled: did !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (did === undefined)
    return (
      <Problem title="This link doesn't contain a DID" why={reason} action={<a href="/my">My services</a>} />
    );
  return (
    <QueryBoundary
      query={existing}
      asking={`Loading the record of ${did}…`}
      failed="Couldn't load the record"
    >
      {({ draft, follows, metadataProblem }) => (
        <>
          <DidText did={did} />
          {metadataProblem === undefined ? null : (
            <Problem
              tone="unknown"
              title="Couldn't load the current metadata"
              why={`${metadataProblem} The form starts empty. To continue from your document, paste it under Metadata as JSON.`}
            />
          )}
          <Wizard
            draftKey={{ chainId, did, major: follows.version.major }}
            prepared={draft}
            follows={follows}
          />
        </>
      )}
    </QueryBoundary>
  );
}

/**
 * Prepares the next version of a registered service: keeps the fields and raises the patch number. Default: of the
 * latest major version.
 * @throws if no record of this DID and major version exists.
 */
async function loadExistingService(client: AppRegistryClient, did: CanonicalDid, asked: number | undefined) {
  const major = asked ?? (await client.latestMajor(did));
  const { record, latestMajor } = await readRegisteredDid(client, { did, major });
  if (!record) throw new Error(`Major version ${major} of ${did} is not registered.`);
  const { version, interfaces, algorithm, contractId, fungibleTokenId } = record;
  const stored = await client.getMetadata(did);
  const isOnChain = stored !== undefined && compareVersions(stored.version, version) === 0;
  const next = raiseVersion(nextVersions(record, latestMajor ?? major), "patch") ?? version;
  const draft: Draft = {
    ...emptyDraft(),
    ...{ did, interfaces, algorithm, contractId, fungibleTokenId, source: did },
    version: formatVersion(next),
    storage: isOnChain ? "chain" : "url",
  };
  const follows: FollowedVersion = { did, version, interfaces, metadata: undefined };
  try {
    const metadata = await readRecordedDocument(did, version);
    if (!isJsonObject(metadata)) throw new Error("The metadata is not a JSON object.");
    // A new reading of the service replaces the endpoints unless the user has edited them.
    const { endpoints } = metadata;
    const read = endpoints === undefined ? {} : { endpoints };
    const source = getSourceUrl(metadata) ?? did;
    return { draft: { ...draft, metadata, source, read }, follows: { ...follows, metadata } };
  } catch (error) {
    // The draft starts without the current metadata.
    return { draft, follows, metadataProblem: toAppRegistryError(error).shortMessage };
  }
}

/** Returns the URL from which a published service can be read again: its first endpoint's description, or its page. */
function getSourceUrl(metadata: JsonObject): string | undefined {
  const [first] = getEndpoints(metadata as unknown as Metadata);
  const describes =
    first?.name === MCP_ENDPOINT_NAME ? first.endpoint : (first?.schemaUrl ?? first?.endpoint);
  const launch = getAtPointer(metadata, "/platforms/web/launchUrl");
  return [describes, launch].find((url): url is string => typeof url === "string" && url !== "");
}
