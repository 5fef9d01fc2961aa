import type { ServiceMetadata } from "../../../lib/service/serviceMetadata.ts";

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
  const isUsual = registryBaseUrl === undefined || safeOrigin(registryBaseUrl) === registry;
  if (!isUsual || !pattern.test(identifier) || !/^(?:\d[\w.+-]*)?$/.test(version)) return undefined;
  const hasVersion =
    version === "" || (registryType === "oci" && /[:@]/.test(identifier.split("/").at(-1) ?? ""));
  return `${command} ${identifier}${hasVersion ? "" : separator + version}`;
}

const safeOrigin = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);
