// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Attestation} from "./Attestation.sol";

/// @notice A DID's own slot: the first controller ever recorded, and the attestation that recorded it.
///
/// | bits     | field       |                                                                 |
/// |----------|-------------|-----------------------------------------------------------------|
/// | 0..159   | controller  | never cleared                                                   |
/// | 160..247 | attestation | the low 88 bits of an `Attestation`; zero once revoked or ousted |
/// | 248..255 | unused      | zero                                                            |
///
/// So the common case, one controller and one issuer, costs one slot. An attestation with a `revokedAt` does not
/// fit: after a revocation that issuer's attestations stand in its lane like those of every other issuer.
type FirstRecord is uint256;

using FirstRecordLibrary for FirstRecord global;

/// @title A DID's own slot
library FirstRecordLibrary {
    uint256 private constant _ATTESTATION = (1 << 88) - 1;

    /// @notice Packs the fields; `attestation_` must never have been revoked.
    function pack(address controller_, Attestation attestation_) internal pure returns (FirstRecord) {
        return
            FirstRecord.wrap(
                uint256(uint160(controller_)) | ((Attestation.unwrap(attestation_) & _ATTESTATION) << 160)
            );
    }

    /// @notice The first controller ever recorded, or zero.
    function controller(FirstRecord self) internal pure returns (address) {
        return address(uint160(FirstRecord.unwrap(self)));
    }

    /// @notice The attestation that recorded it, renewed or not; empty once revoked or ousted.
    function attestation(FirstRecord self) internal pure returns (Attestation) {
        return Attestation.wrap((FirstRecord.unwrap(self) >> 160) & _ATTESTATION);
    }

    /// @notice Whether no controller has ever been recorded.
    function isEmpty(FirstRecord self) internal pure returns (bool) {
        return FirstRecord.unwrap(self) == 0;
    }
}
