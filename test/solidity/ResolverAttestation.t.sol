// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Attestation, AttestationLibrary} from "../../contracts/libraries/Attestation.sol";
import {VM} from "./support/Vm.sol";

/// @dev The packed attestation against a plain struct with the same rules.
contract ResolverAttestationTest {
    uint64 private constant _END = 1 << 36;

    struct Plain {
        uint16 epoch;
        uint64 attestedAt;
        uint64 expiresAt;
        uint64 revokedAt;
    }

    function testFuzz_packKeepsEveryField(
        uint16 epoch,
        uint64 attestedAt,
        uint64 expiresAt,
        uint64 revokedAt
    ) external pure {
        Plain memory plain = Plain(epoch, attestedAt % _END, expiresAt % _END, revokedAt % _END);
        _requireEqual(_pack(plain), plain);
        require(Attestation.unwrap(_pack(plain)) < 1 << 124, "unused bits are zero");
    }

    function testFuzz_isLiveUnderAsThePlainTwin(
        uint16 epoch,
        uint16 authorised,
        uint64 expiresAt,
        uint64 revokedAt,
        uint64 timestamp
    ) external {
        uint64 now_ = timestamp % _END;
        // Half of the runs meet the authorisation, and the boundary is as likely as the rest.
        if (timestamp % 2 == 0) authorised = epoch;
        if (timestamp % 3 == 0) now_ = ((expiresAt % _END) + (timestamp % 5)) % _END;
        VM.warp(now_);
        Plain memory plain = Plain(epoch, 0, expiresAt % _END, revokedAt % _END);
        bool live = authorised != 0 && plain.epoch == authorised && now_ < plain.expiresAt;
        require(_pack(plain).isLiveUnder(authorised) == live, "live");
        bool stated = authorised != 0 && plain.epoch == authorised && plain.expiresAt != 0;
        require(_pack(plain).isStatedUnder(authorised) == stated, "stated");
        uint64 revoked = plain.epoch == authorised ? plain.revokedAt : 0;
        require(_pack(plain).revokedUnder(authorised) == revoked, "revoked");
    }

    function testFuzz_renewedUnderAsThePlainTwin(
        Plain memory plain,
        uint16 authorised,
        uint64 expiresAt,
        uint64 timestamp
    ) external {
        plain.attestedAt %= _END;
        plain.expiresAt %= _END;
        plain.revokedAt %= _END;
        expiresAt %= _END;
        uint64 now_ = timestamp % _END;
        if (timestamp % 2 == 0) authorised = plain.epoch;
        VM.warp(now_);

        bool same = plain.epoch == authorised;
        bool live = same && authorised != 0 && now_ < plain.expiresAt;
        Plain memory renewed = Plain(
            authorised,
            live ? plain.attestedAt : now_,
            expiresAt,
            same ? plain.revokedAt : 0
        );
        _requireEqual(_pack(plain).renewedUnder(authorised, expiresAt), renewed);
    }

    function testFuzz_revokedKeepsOnlyEpochAndTime(Plain memory plain, uint64 timestamp) external {
        plain.attestedAt %= _END;
        plain.expiresAt %= _END;
        plain.revokedAt %= _END;
        VM.warp(timestamp % _END);
        _requireEqual(_pack(plain).revoked(), Plain(plain.epoch, 0, 0, timestamp % _END));
    }

    function _pack(Plain memory plain) private pure returns (Attestation) {
        return AttestationLibrary.pack(plain.epoch, plain.attestedAt, plain.expiresAt, plain.revokedAt);
    }

    function _requireEqual(Attestation packed, Plain memory plain) private pure {
        require(packed.epoch() == plain.epoch, "epoch");
        require(packed.attestedAt() == plain.attestedAt, "attestedAt");
        require(packed.expiresAt() == plain.expiresAt, "expiresAt");
        require(packed.revokedAt() == plain.revokedAt, "revokedAt");
    }
}
