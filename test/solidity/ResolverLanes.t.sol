// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Attestation, AttestationLibrary} from "../../contracts/libraries/Attestation.sol";
import {AttestationLanes} from "../../contracts/libraries/AttestationLanes.sol";
import {IssuerEpochs} from "../../contracts/libraries/IssuerEpochs.sol";

/// @dev Two attestations a slot against one a slot.
contract ResolverLanesTest {
    AttestationLanes private _lanes;
    Attestation[16] private _plain;

    struct Write {
        uint8 lane;
        uint16 epoch;
        uint32 attestedAt;
        uint40 expiresAt;
    }

    function testFuzz_lanesAsAPlainArray(Write[24] calldata writes, uint16[16] calldata authorised) external {
        IssuerEpochs epochs;
        for (uint256 i = 0; i < 24; ++i) {
            uint256 lane = writes[i].lane % 16;
            // Few epochs, so that authorisations and attestations meet.
            Attestation attestation = AttestationLibrary.pack(
                writes[i].epoch % 3,
                writes[i].attestedAt,
                writes[i].expiresAt % (1 << 36),
                0
            );
            _lanes.set(lane, attestation);
            _plain[lane] = attestation;
        }
        for (uint256 lane = 0; lane < 16; ++lane) {
            require(Attestation.unwrap(_lanes.get(lane)) == Attestation.unwrap(_plain[lane]), "get");
            epochs = epochs.with(lane, authorised[lane] % 3);
        }
        uint256 attestedBy = writes[0].attestedAt;
        uint256 count = _countLive(authorised, attestedBy);
        require(_lanes.countLive(epochs, attestedBy) == count, "countLive");
        require(_lanes.anyLive(epochs, attestedBy) == (count != 0), "anyLive");

        _lanes.clear();
        for (uint256 lane = 0; lane < 16; ++lane) {
            require(Attestation.unwrap(_lanes.get(lane)) == 0, "clear");
        }
        require(!_lanes.anyLive(epochs, type(uint256).max), "nothing is live after clear");
    }

    function _countLive(
        uint16[16] calldata authorised,
        uint256 attestedBy
    ) private view returns (uint256 count) {
        for (uint256 lane = 0; lane < 16; ++lane) {
            uint16 epoch = authorised[lane] % 3;
            Attestation attestation = _plain[lane];
            bool live =
                epoch != 0 && attestation.epoch() == epoch && block.timestamp < attestation.expiresAt();
            if (live && attestation.attestedAt() <= attestedBy) ++count;
        }
    }
}
