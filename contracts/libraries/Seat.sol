// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice All that an issuer needs to write, in one word and so one load.
///
/// | bits    | field  |                                                               |
/// |---------|--------|---------------------------------------------------------------|
/// | 0..15   | epoch  | number of its authorisation; 0 in an empty seat               |
/// | 16..23  | lane   | where its attestations stand, 0 to 15                         |
/// | 24..87  | maxTTL | longest lifetime of its attestations in seconds, as for all   |
/// | 88..255 | unused | zero                                                          |
type Seat is uint256;

using SeatLibrary for Seat global;

/// @title An issuer's seat
library SeatLibrary {
    /// @notice Packs the fields.
    function pack(uint256 epoch_, uint256 lane_, uint256 maxTTL_) internal pure returns (Seat) {
        return Seat.wrap(epoch_ | (lane_ << 16) | (maxTTL_ << 24));
    }

    /// @notice The number of the authorisation; 0 in an empty seat.
    function epoch(Seat self) internal pure returns (uint256) {
        return uint16(Seat.unwrap(self));
    }

    /// @notice The lane, 0 to 15.
    function lane(Seat self) internal pure returns (uint256) {
        return uint8(Seat.unwrap(self) >> 16);
    }

    /// @notice The longest lifetime of an attestation, in seconds.
    function maxTTL(Seat self) internal pure returns (uint256) {
        return uint64(Seat.unwrap(self) >> 24);
    }
}
