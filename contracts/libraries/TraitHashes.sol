// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";

/// @title Trait hashes of a record
/// @notice Checks and searches a set of at most 20 hashes. Comparing so few is cheaper than any index.
library TraitHashes {
    uint256 internal constant MAX_COUNT = 20;

    /// @notice Reverts unless `hashes` has at most 20 entries, none zero and none twice.
    function check(bytes32[] memory hashes) internal pure {
        if (hashes.length > MAX_COUNT) revert IAppRegistry.TooManyTraits(hashes.length, MAX_COUNT);
        unchecked {
            for (uint256 i; i < hashes.length; ++i) {
                bytes32 hash = hashes[i];
                if (hash == 0) revert IAppRegistry.ZeroTrait(i);
                for (uint256 j; j < i; ++j) {
                    if (hashes[j] == hash) revert IAppRegistry.DuplicateTrait(hash);
                }
            }
        }
    }

    /// @notice Returns true if two lists have the same hashes in the same order.
    function isSame(bytes32[] memory hashes, bytes32[] memory others) internal pure returns (bool) {
        return keccak256(abi.encodePacked(hashes)) == keccak256(abi.encodePacked(others));
    }

    /// @notice Returns true if at least one of `wanted` is in `hashes`; false if `wanted` is empty.
    function hasAny(bytes32[] memory hashes, bytes32[] memory wanted) internal pure returns (bool) {
        return _count(hashes, wanted) != 0;
    }

    /// @notice Returns true if each of `wanted` is in `hashes`; true if `wanted` is empty.
    function hasAll(bytes32[] memory hashes, bytes32[] memory wanted) internal pure returns (bool) {
        return _count(hashes, wanted) == wanted.length;
    }

    /// @dev Returns the number of `wanted` that are in `hashes`, which must have no duplicates.
    function _count(bytes32[] memory hashes, bytes32[] memory wanted) private pure returns (uint256 count) {
        unchecked {
            for (uint256 i; i < wanted.length; ++i) {
                bytes32 hash = wanted[i];
                for (uint256 j; j < hashes.length; ++j) {
                    if (hashes[j] == hash) ++count;
                }
            }
        }
    }
}
