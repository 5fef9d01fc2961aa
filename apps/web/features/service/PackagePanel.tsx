import { visibleText } from "@app-registry/sdk";
import { CopyBlock, DefinitionLines } from "../../components/record/documents.tsx";
import type { ResolveLink } from "./createLinkResolver.ts";
import { packageCommand, type ServicePackage } from "./install/packageCommand.ts";
import { PlacedLink } from "./PlacedLink.tsx";
import styles from "./service.module.css";

/** Shows a package to install: its registry, version and hash, and the command that runs the package. */
export function PackagePanel({ entry, placeOf }: { entry: ServicePackage; placeOf: ResolveLink }) {
  const { registryType, identifier, version, registryBaseUrl, fileSha256 } = entry;
  const command = packageCommand(entry);
  const values = { Package: identifier, Version: version, From: registryBaseUrl, "SHA-256": fileSha256 };
  const lines = Object.entries(values).flatMap(([term, text]) => {
    if (text === undefined) return [];
    const isUrl = /^https?:\/\//.test(text);
    return [
      { term, value: isUrl ? <PlacedLink url={text} placeOf={placeOf} /> : <code>{visibleText(text)}</code> },
    ];
  });
  return (
    <div className={`stack ${styles.panel}`}>
      <h3 className="minor">
        Package (<bdi>{visibleText(registryType)}</bdi>)
      </h3>
      <DefinitionLines lines={lines} />
      {command === undefined ? null : (
        <>
          <p className="quiet">
            This command runs the publisher's code on your device. The registry doesn't check packages.
          </p>
          <CopyBlock caption="Run the package" text={command} />
        </>
      )}
    </div>
  );
}
