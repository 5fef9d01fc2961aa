"use client";

import { InvalidDidError, normalizeDid, toAppRegistryError } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { DidText } from "../../components/record/DidText.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { useRegistryConnection } from "../wallet/ConnectionContext.ts";
import type { RegistryConnection } from "../wallet/config.ts";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import { WalletProviders } from "../wallet/WalletProviders.tsx";
import { loadExistingService } from "./existingService.ts";
import styles from "./Wizard.module.css";
import { Wizard } from "./Wizard.tsx";

interface RegistrationProps {
  connection: RegistryConnection;
  existing?: { did: string; major: number | undefined } | undefined;
}

/** The wizard with its wallet, for a new service or the next version of one. */
export function Registration({ connection, existing }: RegistrationProps) {
  return (
    <WalletProviders connection={connection}>
      {existing ? <NextVersion {...existing} /> : <NewService />}
    </WalletProviders>
  );
}

function NewService() {
  const { deployment } = useRegistryConnection();
  return <Wizard draftKey={{ chainId: deployment.chainId }} />;
}

function canonical(typed: string): string | InvalidDidError {
  try {
    return normalizeDid(typed);
  } catch (error) {
    if (error instanceof InvalidDidError) return error;
    throw error;
  }
}

function NextVersion({ did: typed, major }: { did: string; major: number | undefined }) {
  const client = useRegistryClient();
  const did = canonical(typed);
  const existing = useQuery({
    queryKey: ["existing", client.deployment.chainId, typed, major],
    queryFn: async () => {
      const latest = major ?? (await client.latestMajor(typed));
      return { ...(await loadExistingService(client, { did: typed, major: latest })), major: latest };
    },
    enabled: typeof did === "string",
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (typeof did !== "string") {
    return (
      <Problem
        title="The address of this page names no DID"
        why={did.reason}
        action={<a href="/my">My services</a>}
      />
    );
  }
  if (existing.isError) {
    const error = toAppRegistryError(existing.error);
    return (
      <Problem
        title="The record could not be read"
        why={error.shortMessage}
        action={<Button onClick={() => void existing.refetch()}>Try again</Button>}
        detail={error.message}
      />
    );
  }
  if (!existing.data) return <p className={styles.loading}>Reading the record of {did}</p>;
  const { draft, metadataProblem, major: found } = existing.data;
  return (
    <>
      <DidText did={did} />
      {metadataProblem === undefined ? null : (
        <Problem
          tone="unknown"
          title="The present metadata could not be read"
          why={`${metadataProblem} The form begins empty; you can paste the document under Metadata as JSON.`}
        />
      )}
      <Wizard draftKey={{ chainId: client.deployment.chainId, did, major: found }} prepared={draft} />
    </>
  );
}
