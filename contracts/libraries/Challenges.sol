// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {Challenge, DIDRecord} from "./DIDRecord.sol";

/// @title The window of a challenge
/// @notice A challenge can be resolved from `wait` to twice `wait` seconds after it was opened; then it is void.
library Challenges {
    /// @notice Opens a challenge of `incumbent`.
    /// @dev Reverts with `ChallengeAlreadyOpen`.
    function open(
        DIDRecord storage self,
        bytes32 didHash,
        address incumbent,
        address challenger,
        uint64 wait
    ) internal returns (uint256 resolvableFrom, uint256 voidFrom) {
        (, , voidFrom) = window(self, incumbent, challenger);
        if (voidFrom != 0) revert IResolver.ChallengeAlreadyOpen(didHash, incumbent, challenger);
        Challenge storage challenge = self.recordOf(incumbent).challenges[challenger];
        challenge.openedAt = uint64(block.timestamp);
        challenge.wait = wait;
        (, resolvableFrom, voidFrom) = window(self, incumbent, challenger);
    }

    /// @notice Closes a challenge that is due.
    /// @dev Reverts with `ChallengeNotOpen` or `ChallengeNotResolvable`.
    function close(DIDRecord storage self, bytes32 didHash, address incumbent, address challenger) internal {
        (, uint256 resolvableFrom, uint256 voidFrom) = window(self, incumbent, challenger);
        if (voidFrom == 0) revert IResolver.ChallengeNotOpen(didHash, incumbent, challenger);
        if (block.timestamp < resolvableFrom) revert IResolver.ChallengeNotResolvable(uint64(resolvableFrom));
        delete self.recordOf(incumbent).challenges[challenger];
    }

    /// @notice When a challenge was opened, can first be resolved and is first void; all zero when there is none or
    /// it is void.
    function window(
        DIDRecord storage self,
        address incumbent,
        address challenger
    ) internal view returns (uint256 openedAt, uint256 resolvableFrom, uint256 voidFrom) {
        Challenge storage challenge = self.recordOf(incumbent).challenges[challenger];
        openedAt = challenge.openedAt;
        uint256 wait = challenge.wait;
        unchecked {
            resolvableFrom = openedAt + wait;
            voidFrom = resolvableFrom + wait;
        }
        if (block.timestamp >= voidFrom) return (0, 0, 0);
    }
}
