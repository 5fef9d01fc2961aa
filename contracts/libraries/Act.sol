// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A controller's word for or against another: who gave it, and when.
///
/// | bits     | field   |                         |
/// |----------|---------|-------------------------|
/// | 0..159   | author  | zero when there is none |
/// | 160..255 | actedAt | Unix seconds            |
type Act is uint256;

using ActLibrary for Act global;

/// @title Fields of an act
library ActLibrary {
    /// @notice An act of `author_` now.
    function by(address author_) internal view returns (Act) {
        return Act.wrap((block.timestamp << 160) | uint160(author_));
    }

    /// @notice Who acted, or zero.
    function author(Act self) internal pure returns (address) {
        return address(uint160(Act.unwrap(self)));
    }

    /// @notice When, in Unix seconds.
    function actedAt(Act self) internal pure returns (uint256) {
        return Act.unwrap(self) >> 160;
    }
}
