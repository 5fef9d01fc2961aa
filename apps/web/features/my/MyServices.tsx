"use client";

import {
  type AppStatus,
  type AppSummary,
  appPath,
  formatVersion,
  type OperationEvent,
  runOperation,
  searchApps,
  startChange,
  toAppRegistryError,
} from "@app-registry/sdk";
import { Button, Group } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import type { Address } from "viem";
import { DidText } from "../../components/record/identifiers.tsx";
import { AppStatusText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { visibleText } from "../../components/record/visibleText.ts";
import { Asked } from "../wallet/Asked.tsx";
import type { RegistryConnection } from "../wallet/config.ts";
import { useOperationHost } from "../wallet/useOperation.ts";
import { useRegistryClient, useWallet } from "../wallet/useRegistryClient.ts";
import { QuietButton, WalletFrame } from "../wallet/WalletBar.tsx";

/** The services whose tokens the connected wallet holds. */
export function MyServices({ connection }: { connection: RegistryConnection }) {
  return (
    <WalletFrame connection={connection}>
      <Owned />
    </WalletFrame>
  );
}

function Owned() {
  const { address, isOnRegistryChain, isOpening } = useWallet();
  const owned = useOwnedServices(address);
  if (isOpening) return <p className="soft">Opening your wallet</p>;
  if (!address) {
    return <p className="soft">Connect the wallet that holds your services to see and change them.</p>;
  }
  return (
    <Asked
      query={owned}
      asking="Asking the chain which services this wallet holds"
      failed="Your services could not be read"
    >
      {(services) =>
        services.length === 0 ? (
          <div className="bar">
            <p>This wallet holds no service.</p>
            <Button component={Link} href="/register">
              Register a service
            </Button>
          </div>
        ) : (
          <ul aria-label="My services">
            {services.map((service) => (
              <ServiceItem
                key={String(service.record.tokenId)}
                service={service}
                canSign={isOnRegistryChain}
              />
            ))}
          </ul>
        )
      }
    </Asked>
  );
}

/** What a holder calls each change of status. */
const changes: { label: string; to: AppStatus }[] = [
  { label: "Reactivate", to: 0 },
  { label: "Deprecate", to: 1 },
  { label: "Mark as replaced", to: 2 },
];

/** One service of the connected wallet, with what its holder can do. */
function ServiceItem({ service, canSign }: { service: OwnedService; canSign: boolean }) {
  const { record, name } = service;
  const { did, versionMajor: major, latestVersion, status } = record;
  const { change, isChanging, step, error } = useStatusChange({ did, major });
  const shown = name === undefined ? did : visibleText(name);
  const update = `/register?${new URLSearchParams({ did, major: String(major) })}`;
  return (
    <li
      className="stack headed"
      style={{ paddingBlock: "var(--space-2)" }}
      aria-label={`${shown} ${formatVersion(latestVersion)}`}
    >
      <Group justify="space-between" gap="xs">
        <div className="stack">
          <div className="row subtitle strong anywhere">
            <Link href={appPath(did, latestVersion)} prefetch={false}>
              {shown}
            </Link>
            <span className="mono quiet">{formatVersion(latestVersion)}</span>
            <AppStatusText status={status} />
          </div>
          <div className="small">
            <DidText did={did} />
          </div>
        </div>
        <div className="bar">
          <Button component={Link} href={update} variant="default" size="compact-sm">
            Publish a new version
          </Button>
          {changes
            .filter(({ to }) => to !== status)
            .map(({ label, to }) => (
              <QuietButton key={label} disabled={isChanging || !canSign} onClick={() => change(to)}>
                {label}
              </QuietButton>
            ))}
        </div>
      </Group>
      <p className="small soft" role="status">
        {step}
      </p>
      {error ? <Problem level={3} title={error.shortMessage} action={error.action} /> : null}
    </li>
  );
}

/** A record that a wallet holds, with the name that the index has of it. */
interface OwnedService {
  record: AppSummary;
  /** Undefined while the index is away or has not read the metadata. */
  name: string | undefined;
}

async function readNames(owner: Address): Promise<Map<string, string>> {
  const { results } = await searchApps({ baseUrl: location.origin, owner, status: "any", limit: 100 });
  return new Map(results.flatMap(({ tokenId, name }) => (name === undefined ? [] : [[tokenId, name]])));
}

/** The records that a wallet holds, as the chain says now, newest first; names come from the index where it answers. */
function useOwnedServices(owner: Address | undefined) {
  const client = useRegistryClient();
  return useQuery({
    queryKey: ["owned", client.deployment.chainId, owner],
    enabled: owner !== undefined,
    queryFn: async (): Promise<OwnedService[]> => {
      if (owner === undefined) return [];
      const names = readNames(owner).catch(() => new Map<string, string>());
      const records: AppSummary[] = [];
      for await (const record of client.listByOwner({ owner })) records.push(record);
      const known = await names;
      return records.reverse().map((record) => ({ record, name: known.get(String(record.tokenId)) }));
    },
  });
}

/** Changes the status of a record, and says what is happening. */
function useStatusChange({ did, major }: { did: string; major: number }) {
  const host = useOperationHost();
  const { address: account } = useWallet();
  const queries = useQueryClient();
  const [step, setStep] = useState<string | undefined>();
  const change = useMutation({
    mutationFn: (status: AppStatus) => {
      if (!account) throw new Error("No wallet is connected.");
      const call = host.client.prepareUpdateStatus({ did, major, status });
      const onEvent = (event: OperationEvent) => {
        if (event.type === "stage") setStep(event.note);
      };
      return runOperation(startChange({ did, call, account }), { ...host, onEvent });
    },
    onSettled: async () => {
      setStep(undefined);
      await queries.invalidateQueries({ queryKey: ["owned"] });
    },
  });
  return {
    change: change.mutate,
    isChanging: change.isPending,
    /** What is happening now. */
    step,
    error: change.error ? toAppRegistryError(change.error) : undefined,
  };
}
