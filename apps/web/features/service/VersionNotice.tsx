import { appPath, formatVersion, type Version } from "@app-registry/sdk";
import Link from "next/link";
import type { ReactNode } from "react";
import styles from "./VersionNotice.module.css";

type VersionNoticeProps = {
  did: string;
  shown: Version;
  /** The newest version of the same major. */
  newest: Version;
  /** The newest version of the highest major. */
  highest: Version;
  status: 0 | 1 | 2;
};

function Notice({ children }: { children: ReactNode }) {
  return <p className={styles.notice}>{children}</p>;
}

/** Says before anything else that a service is deprecated or replaced, or that the page shows an older version. */
export function VersionNotice({ did, shown, newest, highest, status }: VersionNoticeProps) {
  const isOlder = formatVersion(shown) !== formatVersion(newest);
  const hasHigherMajor = highest.major > shown.major;
  const higherLink = (
    <Link href={appPath(did, highest)} prefetch={false}>
      version {formatVersion(highest)}
    </Link>
  );
  return (
    <>
      {status === 1 ? (
        <Notice>
          <strong>Deprecated.</strong> Its publisher advises against new use.
          {hasHigherMajor ? <> See {higherLink}.</> : null}
        </Notice>
      ) : null}
      {status === 2 ? (
        <Notice>
          <strong>Replaced.</strong> Its publisher offers something else in its place.
          {hasHigherMajor ? <> See {higherLink}.</> : null}
        </Notice>
      ) : null}
      {isOlder ? (
        <Notice>
          <strong>Older version.</strong> This page shows {formatVersion(shown)} as it was recorded; the
          current one is{" "}
          <Link href={appPath(did, newest)} prefetch={false}>
            {formatVersion(newest)}
          </Link>
          .
        </Notice>
      ) : null}
      {status === 0 && hasHigherMajor ? (
        <Notice>
          <strong>A newer major version exists:</strong> {higherLink}. Both are in use.
        </Notice>
      ) : null}
    </>
  );
}
