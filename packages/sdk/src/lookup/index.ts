export {
  chooseService,
  type FindServicesParameters,
  findServices,
  type Lookup,
  LookupError,
  type LookupMatch,
  lookupSchema,
  lookupUses,
} from "./lookup.ts";
export { InvalidSubjectError, normalizeAddress, parseSubject, type Subject } from "./parseSubject.ts";
