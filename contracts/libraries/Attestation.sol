// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What one issuer states about one subject (a controller or a dataHash of a DID), in the low half of a word.
///
/// | bits     | field      |                                                                    |
/// |----------|------------|--------------------------------------------------------------------|
/// | 0..15    | epoch      | number of the issuer's authorisation that wrote it; 0 when empty   |
/// | 16..51   | attestedAt | Unix seconds since which it has been live without a gap            |
/// | 52..87   | expiresAt  | Unix seconds, exclusive; 0 once revoked                            |
/// | 88..123  | revokedAt  | Unix seconds of the last revocation under this epoch, or 0         |
/// | 124..255 | unused     | zero                                                               |
///
/// 36 bits of seconds last until the year 4147.
type Attestation is uint256;

using AttestationLibrary for Attestation global;

/// @title Fields and life of an attestation
library AttestationLibrary {
    uint256 private constant _EPOCH = (1 << 16) - 1;
    uint256 private constant _TIME = (1 << 36) - 1;

    /// @notice Packs the fields; the epoch must be below 2^16 and every time below 2^36.
    function pack(
        uint256 epoch_,
        uint256 attestedAt_,
        uint256 expiresAt_,
        uint256 revokedAt_
    ) internal pure returns (Attestation) {
        return Attestation.wrap(epoch_ | (attestedAt_ << 16) | (expiresAt_ << 52) | (revokedAt_ << 88));
    }

    /// @notice The authorisation that wrote it; 0 when nothing is recorded.
    function epoch(Attestation self) internal pure returns (uint256) {
        return Attestation.unwrap(self) & _EPOCH;
    }

    /// @notice Since when it has been live without a gap.
    function attestedAt(Attestation self) internal pure returns (uint256) {
        return (Attestation.unwrap(self) >> 16) & _TIME;
    }

    /// @notice First second at which it is expired; 0 once revoked.
    function expiresAt(Attestation self) internal pure returns (uint256) {
        return (Attestation.unwrap(self) >> 52) & _TIME;
    }

    /// @notice When it was last revoked, or 0.
    function revokedAt(Attestation self) internal pure returns (uint256) {
        return (Attestation.unwrap(self) >> 88) & _TIME;
    }

    /// @notice Whether the authorisation `epoch_` states this, be it expired.
    function isStatedUnder(Attestation self, uint256 epoch_) internal pure returns (bool) {
        return epoch_ != 0 && epoch(self) == epoch_ && expiresAt(self) != 0;
    }

    /// @notice Whether it is live, given that `epoch_` is authorised now.
    function isLiveUnder(Attestation self, uint256 epoch_) internal view returns (bool) {
        return epoch_ != 0 && epoch(self) == epoch_ && block.timestamp < expiresAt(self);
    }

    /// @notice When the authorisation `epoch_` last revoked this, or 0.
    function revokedUnder(Attestation self, uint256 epoch_) internal pure returns (uint256) {
        return epoch(self) == epoch_ ? revokedAt(self) : 0;
    }

    /// @notice What `epoch_` states after attesting again: a live attestation keeps its age, any other begins now.
    function renewedUnder(
        Attestation self,
        uint256 epoch_,
        uint256 expiresAt_
    ) internal view returns (Attestation) {
        return
            pack(
                epoch_,
                isLiveUnder(self, epoch_) ? attestedAt(self) : block.timestamp,
                expiresAt_,
                revokedUnder(self, epoch_)
            );
    }

    /// @notice What stays of it after a revocation now.
    function revoked(Attestation self) internal view returns (Attestation) {
        return pack(epoch(self), 0, 0, block.timestamp);
    }
}
