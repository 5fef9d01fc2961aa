// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {Act} from "./Act.sol";
import {Attestation} from "./Attestation.sol";
import {AttestationLanes} from "./AttestationLanes.sol";
import {FirstRecord, FirstRecordLibrary} from "./FirstRecord.sol";
import {IssuerEpochs, IssuerEpochsLibrary} from "./IssuerEpochs.sol";
import {Seat} from "./Seat.sol";

/// @notice The wait of a controller, in Unix seconds each.
/// `since` is its first record, or 0 when it has none; `restartedAt` when that was last taken back by a revocation
/// that left no live attestation, or by an ousting; `oustedAt` the last ousting alone.
struct Standing {
    uint64 since;
    uint64 restartedAt;
    uint64 oustedAt;
}

/// @notice A challenge of an incumbent; `wait` is the maturation that held when it was opened.
struct Challenge {
    uint64 openedAt;
    uint64 wait;
}

/// @notice What is recorded of one controller of a DID. The first controller leaves all of it empty until a second
/// issuer attests it or the first issuer revokes.
struct ControllerRecord {
    Standing standing;
    Act vouch;
    AttestationLanes lanes;
    Act[] rejections;
    mapping(address challenger => Challenge) challenges;
}

/// @notice What is recorded of one DID.
struct DIDRecord {
    FirstRecord first;
    mapping(address controller => ControllerRecord) controllers;
}

using DIDRecordLibrary for DIDRecord global;

/// @title Attestations of the controllers of one DID
library DIDRecordLibrary {
    /// @notice Records or renews the attestation of `controller` by the issuer who sits at `seat`.
    function attest(
        DIDRecord storage self,
        address controller,
        Seat seat,
        uint256 expiresAt
    ) internal returns (Attestation attestation) {
        FirstRecord first = self.first;
        if (first.isEmpty() || _standsInSlot(first, controller, seat.epoch())) {
            attestation = first.attestation().renewedUnder(seat.epoch(), expiresAt);
            self.first = FirstRecordLibrary.pack(controller, attestation);
            return attestation;
        }
        ControllerRecord storage record = self.recordOf(controller);
        attestation = record.lanes.renew(seat, expiresAt);
        if (controller != first.controller() && record.standing.since == 0) {
            record.standing.since = uint64(block.timestamp);
        }
    }

    /// @notice Takes back the attestation of `controller` by the issuer who sits at `seat`. The controller's wait
    /// starts anew when that leaves it without a live attestation: were it at any revocation, one rogue issuer
    /// could keep a controller waiting for ever by attesting and revoking it.
    /// @return found False when that issuer states nothing, so that nothing has changed.
    function revoke(
        DIDRecord storage self,
        address controller,
        Seat seat,
        IssuerEpochs epochs
    ) internal returns (bool found) {
        FirstRecord first = self.first;
        ControllerRecord storage record = self.recordOf(controller);
        if (_standsInSlot(first, controller, seat.epoch())) {
            self.first = FirstRecordLibrary.pack(controller, Attestation.wrap(0));
            record.lanes.set(seat.lane(), first.attestation().revoked());
        } else if (!record.lanes.revoke(seat)) {
            return false;
        }
        if (!isAttested(self, controller, epochs)) _restart(record);
        return true;
    }

    /// @notice Takes back every attestation of `controller`, by whichever issuer.
    function oust(DIDRecord storage self, address controller) internal {
        if (self.first.controller() == controller) {
            self.first = FirstRecordLibrary.pack(controller, Attestation.wrap(0));
        }
        ControllerRecord storage record = self.recordOf(controller);
        record.lanes.clear();
        record.standing.oustedAt = uint64(block.timestamp);
        _restart(record);
    }

    /// @notice What is recorded of `controller` outside of the DID's own slot.
    function recordOf(
        DIDRecord storage self,
        address controller
    ) internal view returns (ControllerRecord storage) {
        return self.controllers[controller];
    }

    /// @notice Whether `controller` is the first one ever recorded.
    function isFirst(DIDRecord storage self, address controller) internal view returns (bool) {
        return self.first.controller() == controller;
    }

    /// @notice Whether the DID's own slot holds a live attestation of `controller`, who then is the first one.
    function isAttestedInSlot(
        DIDRecord storage self,
        address controller,
        IssuerEpochs epochs
    ) internal view returns (bool) {
        return _countLiveInSlot(self.first, controller, epochs, block.timestamp) == 1;
    }

    /// @notice Whether `controller` has a live attestation.
    function isAttested(
        DIDRecord storage self,
        address controller,
        IssuerEpochs epochs
    ) internal view returns (bool) {
        return
            isAttestedInSlot(self, controller, epochs) ||
            self.recordOf(controller).lanes.anyLive(epochs, block.timestamp);
    }

    /// @notice Reverts with `NotAttested` unless `controller` has a live attestation.
    function requireAttested(
        DIDRecord storage self,
        bytes32 didHash,
        address controller,
        IssuerEpochs epochs
    ) internal view {
        if (!isAttested(self, controller, epochs)) revert IResolver.NotAttested(didHash, controller);
    }

    /// @notice Number of live attestations of `controller` that have been so since `attestedBy` or earlier.
    function countLive(
        DIDRecord storage self,
        address controller,
        IssuerEpochs epochs,
        uint256 attestedBy
    ) internal view returns (uint256) {
        return
            _countLiveInSlot(self.first, controller, epochs, attestedBy) +
            self.recordOf(controller).lanes.countLive(epochs, attestedBy);
    }

    /// @notice Up to when statements about `controller` by the issuer who sits at `seat` are superseded: the later
    /// of its own last revocation and the last ousting; 0 when there was neither.
    function supersededAt(
        DIDRecord storage self,
        address controller,
        Seat seat
    ) internal view returns (uint256) {
        if (self.first.isEmpty()) return 0;
        ControllerRecord storage record = self.recordOf(controller);
        uint256 revokedAt = record.lanes.get(seat.lane()).revokedUnder(seat.epoch());
        uint256 oustedAt = record.standing.oustedAt;
        return revokedAt > oustedAt ? revokedAt : oustedAt;
    }

    function _restart(ControllerRecord storage record) private {
        record.standing.since = 0;
        record.standing.restartedAt = uint64(block.timestamp);
        record.vouch = Act.wrap(0);
    }

    function _standsInSlot(FirstRecord first, address controller, uint256 epoch) private pure returns (bool) {
        return first.controller() == controller && first.attestation().epoch() == epoch;
    }

    function _countLiveInSlot(
        FirstRecord first,
        address controller,
        IssuerEpochs epochs,
        uint256 attestedBy
    ) private view returns (uint256) {
        Attestation attestation = first.attestation();
        uint256 epoch = attestation.epoch();
        bool live =
            first.controller() == controller &&
                attestation.isLiveUnder(epoch) &&
                attestation.attestedAt() <= attestedBy &&
                epochs.laneOf(epoch) < IssuerEpochsLibrary.LANES;
        return live ? 1 : 0;
    }
}
