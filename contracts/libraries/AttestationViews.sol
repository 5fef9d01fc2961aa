// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {Attestation} from "./Attestation.sol";
import {AttestationLanes} from "./AttestationLanes.sol";
import {DIDRecord} from "./DIDRecord.sol";
import {IssuerEpochs, IssuerEpochsLibrary} from "./IssuerEpochs.sol";
import {IssuerSet} from "./IssuerSet.sol";

/// @title Attestations as a reader sees them
/// @notice Those that an issuer states under the authorisation that it has now, live or expired.
library AttestationViews {
    /// @notice Attestations of a controller.
    function ofController(
        DIDRecord storage did,
        address controller,
        IssuerSet storage issuers
    ) internal view returns (IResolver.AttestationView[] memory) {
        Attestation inSlot = did.isFirst(controller) ? did.first.attestation() : Attestation.wrap(0);
        return _list(inSlot, did.recordOf(controller).lanes, issuers);
    }

    /// @notice Attestations of a dataHash.
    function ofDataHash(
        AttestationLanes storage dataHash,
        IssuerSet storage issuers
    ) internal view returns (IResolver.AttestationView[] memory) {
        return _list(Attestation.wrap(0), dataHash, issuers);
    }

    /// @dev `inSlot` stands for the lane of its issuer.
    function _list(
        Attestation inSlot,
        AttestationLanes storage lanes,
        IssuerSet storage issuers
    ) private view returns (IResolver.AttestationView[] memory views) {
        IssuerEpochs epochs = issuers.epochs;
        views = new IResolver.AttestationView[](IssuerEpochsLibrary.LANES);
        uint256 count;
        for (uint256 lane = 0; epochs.anyFrom(lane); ++lane) {
            uint256 epoch = epochs.get(lane);
            Attestation attestation = inSlot.epoch() == epoch ? inSlot : lanes.get(lane);
            if (!attestation.isStatedUnder(epoch)) continue;
            views[count] = IResolver.AttestationView({
                issuer: issuers.accounts[lane],
                attestedAt: uint64(attestation.attestedAt()),
                expiresAt: uint64(attestation.expiresAt()),
                live: block.timestamp < attestation.expiresAt()
            });
            unchecked {
                ++count;
            }
        }
        assembly ("memory-safe") {
            mstore(views, count)
        }
    }
}
