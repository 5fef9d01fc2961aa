import { visibleText } from "@app-registry/sdk";
import { CopyBlock, DefinitionLines } from "../../components/record/documents.tsx";
import type { ServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { PlacedLink, type ResolveLink } from "./links.tsx";
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

export type ServicePackage = ServiceMetadata["packages"][number];

/** Commands that run a package, by registry type. An identifier of the pattern is safe in any shell. */
const runners: Record<string, [identifier: RegExp, registry: string, command: string, separator: string]> = {
  npm: [/^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/, "https://registry.npmjs.org", "npx -y", "@"],
  pypi: [/^[A-Za-z\d](?:[\w.-]*[A-Za-z\d])?$/, "https://pypi.org", "uvx", "=="],
  nuget: [/^\w[\w.-]*$/, "https://api.nuget.org", "dnx", "@"],
  oci: [
    /^[a-z\d][a-z\d._-]*(?::\d{1,5}(?=\/))?(?:\/[a-z\d][a-z\d._-]*)*(?::\w[\w.-]*)?(?:@sha256:[a-f\d]{64})?$/,
    "https://docker.io",
    "docker run -i --rm",
    ":",
  ],
};

/**
 * Returns the command that runs a package. Returns `undefined` if its registry has no such command, if the command
 * would install from another registry, or if a value is not a plain word.
 */
export function packageCommand({ registryType, identifier, ...entry }: ServicePackage): string | undefined {
  const { version = "", registryBaseUrl } = entry;
  const runner = Object.hasOwn(runners, registryType) ? runners[registryType] : undefined;
  if (!runner || identifier.length + version.length > 300) return undefined;
  const [pattern, registry, command, separator] = runner;
  const isUsual = registryBaseUrl === undefined || URL.parse(registryBaseUrl)?.origin === registry;
  if (!isUsual || !pattern.test(identifier) || !/^(?:\d[\w.+-]*)?$/.test(version)) return undefined;
  const hasVersion =
    version === "" || (registryType === "oci" && /[:@]/.test(identifier.split("/").at(-1) ?? ""));
  return `${command} ${identifier}${hasVersion ? "" : separator + version}`;
}
