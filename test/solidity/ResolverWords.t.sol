// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Attestation, AttestationLibrary} from "../../contracts/libraries/Attestation.sol";
import {FirstRecord, FirstRecordLibrary} from "../../contracts/libraries/FirstRecord.sol";
import {IssuerEpochs} from "../../contracts/libraries/IssuerEpochs.sol";
import {Seat, SeatLibrary} from "../../contracts/libraries/Seat.sol";

/// @dev The packed words of the resolver against plain values and a plain array.
contract ResolverWordsTest {
    uint64 private constant _END = 1 << 36;

    function testFuzz_seatKeepsEveryField(uint16 epoch, uint8 lane, uint64 maxTTL) external pure {
        Seat seat = SeatLibrary.pack(epoch, lane, maxTTL);
        require(seat.epoch() == epoch && seat.lane() == lane && seat.maxTTL() == maxTTL, "fields");
        require(Seat.unwrap(seat) < 1 << 88, "unused bits are zero");
    }

    function testFuzz_firstRecordKeepsControllerAndAttestation(
        address controller,
        uint16 epoch,
        uint64 attestedAt,
        uint64 expiresAt
    ) external pure {
        Attestation attestation = AttestationLibrary.pack(epoch, attestedAt % _END, expiresAt % _END, 0);
        FirstRecord first = FirstRecordLibrary.pack(controller, attestation);
        require(first.controller() == controller, "controller");
        require(Attestation.unwrap(first.attestation()) == Attestation.unwrap(attestation), "attestation");
        require(FirstRecord.unwrap(first) < 1 << 248, "unused bits are zero");
        bool empty = controller == address(0) && Attestation.unwrap(attestation) == 0;
        require(first.isEmpty() == empty, "empty");
    }

    function testFuzz_issuerEpochsAsAPlainArray(
        uint16[16] memory plain,
        uint8 lane,
        uint16 epoch
    ) external pure {
        IssuerEpochs epochs;
        for (uint256 i = 0; i < 16; ++i) {
            // Sparse sets are the rule: a third of the lanes is free.
            if (plain[i] % 3 == 0) plain[i] = 0;
            epochs = epochs.with(i, plain[i]);
        }
        lane %= 16;
        epochs = epochs.with(lane, epoch);
        plain[lane] = epoch;
        for (uint256 i = 0; i < 16; ++i) {
            require(epochs.get(i) == plain[i], "get");
            require(epochs.laneOf(plain[i]) == _laneOf(plain, plain[i]), "laneOf");
            require(epochs.anyFrom(i) == _anyFrom(plain, i), "anyFrom");
        }
        require(epochs.laneOf(epoch ^ 1) == _laneOf(plain, epoch ^ 1), "laneOf another");
        require(!epochs.anyFrom(16), "nothing beyond the last lane");
    }

    function _laneOf(uint16[16] memory plain, uint16 epoch) private pure returns (uint256) {
        for (uint256 i = 0; i < 16; ++i) {
            if (plain[i] == epoch) return i;
        }
        return 16;
    }

    function _anyFrom(uint16[16] memory plain, uint256 lane) private pure returns (bool) {
        for (uint256 i = lane; i < 16; ++i) {
            if (plain[i] != 0) return true;
        }
        return false;
    }
}
