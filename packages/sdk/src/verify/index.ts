export { DocumentUnavailableError, type FetchDocument, fetchDocument } from "./fetchDocument.ts";
export {
  type Fact,
  factSchema,
  type Step,
  stepSchema,
  type VerificationReport,
  verificationReportSchema,
} from "./report.ts";
export { type VerifyAppParameters, verifyApp } from "./verifyApp.ts";
