"use client";

import { appPath, formatVersion } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import Link from "next/link";
import { AppStatusText } from "../../components/record/AppStatusText.tsx";
import { DidText } from "../../components/record/DidText.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { visibleText } from "../../components/record/visibleText.ts";
import { QuietButton } from "../wallet/QuietButton.tsx";
import styles from "./MyServices.module.css";
import type { OwnedService } from "./ownedServices.ts";
import { type Status, useStatusChange } from "./useStatusChange.ts";

const changes: Record<Status, { label: string; to: Status }[]> = {
  0: [
    { label: "Deprecate", to: 1 },
    { label: "Mark as replaced", to: 2 },
  ],
  1: [
    { label: "Reactivate", to: 0 },
    { label: "Mark as replaced", to: 2 },
  ],
  2: [
    { label: "Reactivate", to: 0 },
    { label: "Deprecate", to: 1 },
  ],
};

/** One service of the connected wallet, with what its holder can do. */
export function ServiceItem({ service, canSign }: { service: OwnedService; canSign: boolean }) {
  const { record, name } = service;
  const { did, versionMajor: major, latestVersion, status } = record;
  const { change, isChanging, step, error } = useStatusChange({ did, major });
  const shown = name === undefined ? did : visibleText(name);
  const update = `/register?${new URLSearchParams({ did, major: String(major) })}`;
  return (
    <li className={styles.item} aria-label={`${shown} ${formatVersion(latestVersion)}`}>
      <div className={styles.name}>
        <Link href={appPath(did, latestVersion)} prefetch={false}>
          {shown}
        </Link>
        <span className={styles.version}>{formatVersion(latestVersion)}</span>
        <AppStatusText status={status} />
      </div>
      <div className={styles.did}>
        <DidText did={did} />
      </div>
      <div className={styles.actions}>
        <Button component={Link} href={update} variant="default" size="compact-sm">
          Publish a new version
        </Button>
        {changes[status].map(({ label, to }) => (
          <QuietButton key={label} disabled={isChanging || !canSign} onClick={() => change(to)}>
            {label}
          </QuietButton>
        ))}
      </div>
      <p className={styles.step} role="status">
        {step}
      </p>
      {error ? <Problem level={3} title={error.shortMessage} action={error.action} /> : null}
    </li>
  );
}
