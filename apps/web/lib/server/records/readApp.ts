import { RecordedDocumentError, readRecordedDocument } from "@app-registry/outbound";
import {
  formatVersion,
  getProvenSubject,
  parseDidPath,
  parseJsonStrict,
  parseVersionedDidPath,
  provenSubjectSchema,
  toAppRegistryError,
  type VersionRecord,
  verificationReportSchema,
} from "@app-registry/sdk";
import { z } from "zod";
import { refuseHidden } from "../http/problem.ts";
import { rawPathAfter } from "../http/request.ts";
import type { Registry } from "../registry.ts";
import { verifyOne } from "./verifyBatch.ts";

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/);
const versionSchema = z.object({
  version: z.string().describe("major.minor.patch"),
  registeredAt: z.int().describe("Unix seconds."),
  dataUrl: z.string(),
  dataHash: hex,
  dataHashAlgorithm: z.literal([0, 1]).describe("0 keccak256, 1 sha256."),
  transactionHash: hex,
});

/** Response of GET /api/apps/{versionedDid}. */
export const appResponseSchema = z.object({
  did: z.string(),
  proven: provenSubjectSchema,
  tokenId: z.string().describe("Decimal."),
  owner: hex,
  minter: hex,
  status: z.literal([0, 1, 2]).describe("0 Active, 1 Deprecated, 2 Replaced."),
  record: versionSchema
    .extend({
      interfaces: z.int().describe("Bitmap: 1 Human, 2 API, 4 Contract."),
      traitHashes: z.array(hex),
      contractId: z.string(),
      fungibleTokenId: z.string(),
      pointer: hex
        .nullable()
        .describe("Contract that stores the JSON; null if the JSON is not on the chain."),
      current: z.boolean().describe("Whether this is the latest version within its major."),
    })
    .describe("What the registry recorded for this version."),
  versions: z.array(versionSchema).describe("Every version of this major, oldest first."),
  metadata: z.unknown().describe("The metadata document if it matches the record's hash, otherwise null."),
  metadataProblem: z.object({ code: z.string(), detail: z.string() }).nullable(),
  verification: verificationReportSchema,
});

export type AppResponse = z.output<typeof appResponseSchema>;

/**
 * Returns a record with its metadata and a verification report. `<did>` alone means the latest version of the latest
 * major.
 *
 * @throws ApiProblem 451 `hidden` if the operator hides the service.
 */
export async function readApp(request: Request, source: Registry): Promise<AppResponse> {
  const { client } = source;
  const { did, ...wanted } = readPath(rawPath(request));
  refuseHidden(source.hidden, did);
  const major = wanted.major ?? (await client.latestMajor(did));
  const summary = await client.getAppSummary({ did, major });
  const { latestVersion } = summary;
  const version =
    wanted.minor === undefined ? latestVersion : { major, minor: wanted.minor, patch: wanted.patch };
  const [record, versions] = await Promise.all([
    client.getVersionRecord({ did, version }),
    client.listVersionRecords({ did, major }),
  ]);
  const [document, verification] = await Promise.all([
    readDocument(source, record),
    verifyOne(source, { did, version: record.version }),
  ]);
  const { owner, minter, status, tokenId, fungibleTokenId } = summary;
  const { interfaces, traitHashes, contractId, pointer = null, current } = record;
  return {
    did,
    proven: getProvenSubject(did),
    tokenId: String(tokenId),
    owner,
    minter,
    status,
    record: {
      ...toVersion(record),
      interfaces,
      traitHashes: [...traitHashes],
      contractId,
      fungibleTokenId,
      pointer,
      current,
    },
    versions: versions.map(toVersion),
    ...document,
    verification,
  };
}

/** Routes that read a record. Requests for JSON at a service's page arrive with the page's path. */
const routes = ["/api/apps/", "/apps/"];

const rawPath = (request: Request): string =>
  routes.map((route) => rawPathAfter(request, route)).find((path) => path !== "") ?? "";

type RequestedVersion = { did: string; major?: number; minor?: number; patch?: number | undefined };

/** Parses `<did>` or `<did>/v/<version>`. */
export function readPath(path: string): RequestedVersion {
  return /\/v\/|%2fv%2f/i.test(path) ? parseVersionedDidPath(path) : { did: parseDidPath(path) };
}

function toVersion({ version, dataUrl, dataHash, dataHashAlgorithm, transactionHash }: VersionRecord) {
  const { registeredAt } = version;
  const recorded = { dataUrl, dataHash, dataHashAlgorithm, transactionHash };
  return { version: formatVersion(version), registeredAt, ...recorded };
}

async function readDocument(
  { client, guardedFetch }: Registry,
  record: VersionRecord,
): Promise<Pick<AppResponse, "metadata" | "metadataProblem">> {
  try {
    const { canonical } = await readRecordedDocument({ client, guardedFetch, record });
    return { metadata: parseJsonStrict(canonical), metadataProblem: null };
  } catch (thrown) {
    if (thrown instanceof RecordedDocumentError) {
      return { metadata: null, metadataProblem: { code: thrown.code, detail: thrown.shortMessage } };
    }
    throw toAppRegistryError(thrown);
  }
}
