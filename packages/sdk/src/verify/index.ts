export { DocumentUnavailableError, type FetchDocument, fetchDocument } from "./fetchDocument.ts";
export {
  type EndpointProbe,
  liveFact,
  type ProbedService,
  type ProbeProtocol,
  type ReadLiveFact,
  type ServiceProbe,
} from "./live.ts";
export {
  createLiveReader,
  fetchLiveRecord,
  type LivePeriod,
  type LiveRecord,
  liveRecordSchema,
  recordedLiveFact,
  serviceProbeSchema,
} from "./liveRecord.ts";
export { type ClassifiedAddress, type LocatedAddress, listAddresses } from "./originFact.ts";
export {
  type Fact,
  factSchema,
  type Step,
  stepSchema,
  type VerificationReport,
  verificationReportSchema,
} from "./report.ts";
export { type VerifyAppParameters, verifyApp } from "./verifyApp.ts";
