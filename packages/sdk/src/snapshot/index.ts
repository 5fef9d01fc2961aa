export {
  fetchSnapshotFile,
  fetchSnapshotManifest,
  fetchSnapshots,
  type SnapshotList,
  snapshotListSchema,
  snapshotPath,
} from "./fetchSnapshots.ts";
export {
  InvalidSnapshotError,
  parseSnapshotManifest,
  type SnapshotManifest,
  type SnapshotRecord,
  signSnapshot,
  snapshotLine,
  snapshotManifestSchema,
  snapshotRecordSchema,
  snapshotTypedData,
  type UnsignedSnapshot,
} from "./snapshot.ts";
export {
  type SnapshotFile,
  type SnapshotProblem,
  type SnapshotReport,
  type VerifySnapshotParameters,
  verifySnapshot,
} from "./verifySnapshot.ts";
