// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {Attestation} from "./Attestation.sol";
import {AttestationLanes} from "./AttestationLanes.sol";
import {DIDRecord} from "./DIDRecord.sol";
import {IssuerEpochs} from "./IssuerEpochs.sol";
import {IssuerSet} from "./IssuerSet.sol";

/// @title Attestations as a reader sees them
/// @notice Those that an issuer states under the authorisation that it has now, live or expired.
library AttestationViews {
    /// @notice Attestations of a controller.
    function ofController(
        DIDRecord storage did,
        address controller,
        IssuerSet storage issuers
    ) internal view returns (IResolver.AttestationView[] memory views) {
        IssuerEpochs epochs = issuers.epochs;
        Attestation[16] memory lanes;
        for (uint256 lane = 0; epochs.anyFrom(lane); ++lane) {
            lanes[lane] = did.attestationOf(controller, lane, epochs.get(lane));
        }
        return _statedIn(lanes, issuers);
    }

    /// @notice Attestations of a dataHash.
    function ofDataHash(
        AttestationLanes storage dataHash,
        IssuerSet storage issuers
    ) internal view returns (IResolver.AttestationView[] memory views) {
        IssuerEpochs epochs = issuers.epochs;
        Attestation[16] memory lanes;
        for (uint256 lane = 0; epochs.anyFrom(lane); ++lane) {
            lanes[lane] = dataHash.get(lane);
        }
        return _statedIn(lanes, issuers);
    }

    function _statedIn(
        Attestation[16] memory lanes,
        IssuerSet storage issuers
    ) private view returns (IResolver.AttestationView[] memory views) {
        IssuerEpochs epochs = issuers.epochs;
        uint256 count;
        for (uint256 lane = 0; epochs.anyFrom(lane); ++lane) {
            if (lanes[lane].isStatedUnder(epochs.get(lane))) ++count;
        }
        views = new IResolver.AttestationView[](count);
        for (uint256 lane = lanes.length; lane != 0;) {
            Attestation attestation = lanes[--lane];
            if (!attestation.isStatedUnder(epochs.get(lane))) continue;
            views[--count] = IResolver.AttestationView({
                issuer: issuers.accounts[lane],
                attestedAt: uint64(attestation.attestedAt()),
                expiresAt: uint64(attestation.expiresAt()),
                live: block.timestamp < attestation.expiresAt()
            });
        }
    }
}
