// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Attestation} from "./Attestation.sol";
import {IssuerEpochs} from "./IssuerEpochs.sol";
import {Seat} from "./Seat.sol";

/// @notice The attestations of one subject by up to 16 issuers, a lane each, two lanes a slot: lane `2n` is the
/// low half of `words[n]`, lane `2n + 1` its high half.
struct AttestationLanes {
    uint256[8] words;
}

using AttestationLanesLibrary for AttestationLanes global;

/// @title Lanes of attestations
/// @dev A lane counts only under the epoch that is authorised for it now, so that what an earlier tenant of the
/// lane wrote is void without being erased.
library AttestationLanesLibrary {
    uint256 private constant _HALF = type(uint128).max;

    /// @notice The attestation in a lane, 0 to 15.
    function get(AttestationLanes storage self, uint256 lane) internal view returns (Attestation) {
        return Attestation.wrap((_read(self, lane) >> _shift(lane)) & _HALF);
    }

    /// @notice Writes a lane, 0 to 15.
    function set(AttestationLanes storage self, uint256 lane, Attestation attestation) internal {
        uint256 shift = _shift(lane);
        uint256 word = (_read(self, lane) & ~(_HALF << shift)) | (Attestation.unwrap(attestation) << shift);
        assembly ("memory-safe") {
            sstore(add(self.slot, shr(1, lane)), word)
        }
    }

    /// @notice Writes or renews the attestation of the issuer who sits at `seat`.
    function renew(
        AttestationLanes storage self,
        Seat seat,
        uint256 expiresAt
    ) internal returns (Attestation attestation) {
        uint256 lane = seat.lane();
        attestation = get(self, lane).renewedUnder(seat.epoch(), expiresAt);
        set(self, lane, attestation);
    }

    /// @notice Takes back the attestation of the issuer who sits at `seat`.
    /// @return found False when that issuer states nothing, so that nothing has changed.
    function revoke(AttestationLanes storage self, Seat seat) internal returns (bool found) {
        Attestation attestation = get(self, seat.lane());
        found = attestation.isStatedUnder(seat.epoch());
        if (found) set(self, seat.lane(), attestation.revoked());
    }

    /// @notice Erases every lane.
    function clear(AttestationLanes storage self) internal {
        delete self.words;
    }

    /// @notice Whether a live attestation has been so since `attestedBy` or earlier.
    function anyLive(
        AttestationLanes storage self,
        IssuerEpochs epochs,
        uint256 attestedBy
    ) internal view returns (bool) {
        for (uint256 lane = 0; epochs.anyFrom(lane); ++lane) {
            if (_isLive(self, epochs, lane, attestedBy)) return true;
        }
        return false;
    }

    /// @notice Number of live attestations that have been so since `attestedBy` or earlier.
    function countLive(
        AttestationLanes storage self,
        IssuerEpochs epochs,
        uint256 attestedBy
    ) internal view returns (uint256 count) {
        for (uint256 lane = 0; epochs.anyFrom(lane); ++lane) {
            if (_isLive(self, epochs, lane, attestedBy)) {
                unchecked {
                    ++count;
                }
            }
        }
    }

    function _isLive(
        AttestationLanes storage self,
        IssuerEpochs epochs,
        uint256 lane,
        uint256 attestedBy
    ) private view returns (bool) {
        uint256 epoch = epochs.get(lane);
        if (epoch == 0) return false;
        Attestation attestation = get(self, lane);
        return attestation.isLiveUnder(epoch) && attestation.attestedAt() <= attestedBy;
    }

    /// @dev The word with a lane; Solidity would check the bounds of a lane that is below 16.
    function _read(AttestationLanes storage self, uint256 lane) private view returns (uint256 word) {
        assembly ("memory-safe") {
            word := sload(add(self.slot, shr(1, lane)))
        }
    }

    function _shift(uint256 lane) private pure returns (uint256) {
        return (lane & 1) << 7;
    }
}
