// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice The authorisations in force, 16 lanes of 16 bits in one word: lane `n` stands in bits `16n..16n+15` and
/// holds the number of the authorisation that sits there, or 0 when the lane is free.
type IssuerEpochs is uint256;

using IssuerEpochsLibrary for IssuerEpochs global;

/// @title The word of authorisations in force
library IssuerEpochsLibrary {
    /// @notice Lanes, so issuers at a time.
    uint256 internal constant LANES = 16;

    /// @notice The authorisation in a lane, 0 to 15; 0 when it is free.
    function get(IssuerEpochs self, uint256 lane) internal pure returns (uint256) {
        return uint16(IssuerEpochs.unwrap(self) >> (lane << 4));
    }

    /// @notice The word with `epoch` in a lane, 0 to 15.
    function with(IssuerEpochs self, uint256 lane, uint256 epoch) internal pure returns (IssuerEpochs) {
        uint256 shift = lane << 4;
        return
            IssuerEpochs.wrap(
                (IssuerEpochs.unwrap(self) & ~(uint256(type(uint16).max) << shift)) | (epoch << shift)
            );
    }

    /// @notice Whether a lane from `lane` upwards is taken; false from 16 upwards.
    function anyFrom(IssuerEpochs self, uint256 lane) internal pure returns (bool) {
        return IssuerEpochs.unwrap(self) >> (lane << 4) != 0;
    }

    /// @notice The lane of an authorisation; 16 when it is not in force. `laneOf(0)` is the lowest free lane.
    function laneOf(IssuerEpochs self, uint256 epoch) internal pure returns (uint256 lane) {
        unchecked {
            while (lane < LANES && get(self, lane) != epoch) ++lane;
        }
    }
}
