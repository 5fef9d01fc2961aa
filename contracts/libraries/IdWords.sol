// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Words of an index over token ids
/// @dev An index keeps at most four bits for each id, and ids have 32 bits: no place is ever outside the array, and
/// Solidity's own bounds check would cost each word of a scan 50 gas.
library IdWords {
    function read(uint256[1 << 26] storage words, uint256 place) internal view returns (uint256 word) {
        assembly ("memory-safe") {
            word := sload(add(words.slot, place))
        }
    }

    function write(uint256[1 << 26] storage words, uint256 place, uint256 word) internal {
        assembly ("memory-safe") {
            sstore(add(words.slot, place), word)
        }
    }
}
