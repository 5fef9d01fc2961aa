// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {LibBit} from "solady/src/utils/LibBit.sol";

/// @notice A page of token ids while it is collected.
struct Scan {
    /// @dev Room for as many ids as the page may have.
    uint256[] ids;
    /// @dev How many of `ids` are found.
    uint256 found;
    /// @dev The last one found, at first the one that the page begins after.
    uint256 cursor;
    /// @dev Index of the next word to read.
    uint256 word;
    /// @dev Index of the first word that is not to be read.
    uint256 endWord;
    /// @dev Highest id there is.
    uint256 last;
    /// @dev How many ids share a word of the index: 64 or 256.
    uint256 idsPerWord;
}

using IdScan for Scan global;

/// @title Bounded scan of an index over token ids
/// @notice Collects token ids in ascending order from an index that keeps the same number of bits for each id (lanes,
/// bitmaps), within a budget of words: the gas of a call has a limit whatever the size of the index.
/// @dev Each turn takes what is selected of one word:
///
///     Scan memory scan = IdScan.start(cursor, last, limit, 256);
///     while (scan.isOpen()) scan.take(words[scan.word]);
library IdScan {
    using LibBit for uint256;

    /// @notice Words that one call reads at most; each costs about 2,700 gas.
    uint256 internal constant WORD_BUDGET = 4096;

    /// @notice An empty page for at most `limit` ids above `cursor` and up to `last`.
    function start(
        uint256 cursor,
        uint256 last,
        uint256 limit,
        uint256 idsPerWord
    ) internal pure returns (Scan memory scan) {
        scan.ids = new uint256[](limit);
        scan.cursor = Math.min(cursor, last);
        scan.word = (scan.cursor + 1) / idsPerWord;
        scan.endWord = Math.min(last / idsPerWord + 1, scan.word + WORD_BUDGET);
        (scan.last, scan.idsPerWord) = (last, idsPerWord);
    }

    /// @notice Whether there is room in the page, and another word to read.
    function isOpen(Scan memory scan) internal pure returns (bool) {
        return scan.word < scan.endWord && scan.found < scan.ids.length;
    }

    /// @notice Adds what is selected of the next word, while there is room.
    /// @param selected The lowest of the bits of each selected id.
    function take(Scan memory scan, uint256 selected) internal pure {
        unchecked {
            uint256 first = scan.word * scan.idsPerWord;
            ++scan.word;
            uint256 bitsPerId = 256 / scan.idsPerWord;
            if (scan.cursor >= first)
                selected &= type(uint256).max << ((scan.cursor + 1 - first) * bitsPerId);
            for (; selected != 0 && scan.found < scan.ids.length; selected &= selected - 1) {
                scan.cursor = first + selected.ffs() / bitsPerId;
                scan.ids[scan.found] = scan.cursor;
                ++scan.found;
            }
        }
    }

    /// @notice The last id examined, or 0 when that is the highest.
    function nextCursor(Scan memory scan) internal pure returns (uint256) {
        bool isFull = scan.found == scan.ids.length;
        uint256 cursor = isFull ? scan.cursor : scan.word * scan.idsPerWord - 1;
        return cursor < scan.last ? cursor : 0;
    }
}
