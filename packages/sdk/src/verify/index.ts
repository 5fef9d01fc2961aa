export { DocumentUnavailableError, type FetchDocument, fetchDocument } from "./fetchDocument.ts";
export {
  type EndpointProbe,
  liveFact,
  type ProbedService,
  type ProbeProtocol,
  type ReadLive,
  type ServiceProbe,
} from "./live.ts";
export {
  fetchLiveRecord,
  type LivePeriod,
  type LiveRecord,
  liveRecordSchema,
  readLiveFrom,
  recordedLiveFact,
  serviceProbeSchema,
} from "./liveRecord.ts";
export { addressesOf, type LeadingAddress, type LocatedAddress } from "./originFact.ts";
export {
  type Fact,
  factSchema,
  type Step,
  stepSchema,
  type VerificationReport,
  verificationReportSchema,
} from "./report.ts";
export { type VerifyAppParameters, verifyApp } from "./verifyApp.ts";
