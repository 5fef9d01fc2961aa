export {
  prepareSignedAttestation,
  type SignedAttestation,
  sendSignedAttestation,
  signedAttestationSchema,
} from "./signedAttestation.ts";
