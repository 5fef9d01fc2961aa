// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibBit} from "solady/src/utils/LibBit.sol";

import {IdWords} from "./IdWords.sol";

/// @title Bounded scan of an index over token ids
/// @notice Collects token ids in ascending order from an index that keeps the same number of bits for each id
/// (lanes, bitmaps), one word after the other, within a budget of words: the gas of a call has a limit whatever
/// the size of the index.
library IdScan {
    using IdWords for uint256[1 << 26];
    using LibBit for uint256;

    /// @notice Words that one call reads at most; each costs about 2,300 gas.
    uint256 internal constant WORD_BUDGET = 4096;

    /// @notice Collects at most `limit` selected ids above `cursor` and up to `last`.
    /// @param words The index.
    /// @param idsShift A word holds `2 ** idsShift` ids, each in as many bits; at most 8.
    /// @param select Given a word and `query`, sets the lowest of an id's bits when the id is selected.
    /// @param query Argument of `select`.
    /// @param cursor Last id examined before, 0 to start.
    /// @param last Highest id there is.
    /// @param limit Not 0.
    /// @return ids The selected ids, ascending.
    /// @return nextCursor Last id examined by this call, or 0 when that is `last`.
    function collect(
        uint256[1 << 26] storage words,
        uint256 idsShift,
        function(uint256, uint256) pure returns (uint256) select,
        uint256 query,
        uint256 cursor,
        uint256 last,
        uint256 limit
    ) internal view returns (uint256[] memory ids, uint256 nextCursor) {
        ids = _allocate(limit);
        uint256 found;
        if (cursor < last) {
            unchecked {
                uint256 bitsShift = 8 - idsShift;
                uint256 index = (cursor + 1) >> idsShift;
                uint256 end = index + WORD_BUDGET;
                uint256 examined = type(uint256).max << uint8((cursor + 1) << bitsShift);
                while (true) {
                    uint256 selected = select(words.read(index), query) & examined;
                    while (selected != 0 && found < limit) {
                        nextCursor = (index << idsShift) | (selected.ffs() >> bitsShift);
                        _set(ids, found, nextCursor);
                        ++found;
                        selected &= selected - 1;
                    }
                    if (found == limit) break;
                    nextCursor = (++index << idsShift) - 1;
                    if (nextCursor >= last || index == end) break;
                    examined = type(uint256).max;
                }
                if (nextCursor >= last) nextCursor = 0;
            }
        }
        // A scan may find fewer ids than it made room for.
        assembly ("memory-safe") {
            mstore(ids, found)
        }
    }

    /// @dev An array whose elements are not zeroed: each is written before it is read.
    function _allocate(uint256 length) private pure returns (uint256[] memory array) {
        assembly ("memory-safe") {
            array := mload(0x40)
            mstore(array, length)
            mstore(0x40, add(array, shl(5, add(length, 1))))
        }
    }

    /// @dev Without a check of `index`, which is below the limit that the array was made for.
    function _set(uint256[] memory array, uint256 index, uint256 value) private pure {
        assembly ("memory-safe") {
            mstore(add(array, shl(5, add(index, 1))), value)
        }
    }
}
