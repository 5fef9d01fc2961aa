// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {LibBit} from "solady/src/utils/LibBit.sol";

/// @notice Scan in progress, which collects a page of token ids.
struct Scan {
    /// @dev Ids found so far. The length is the limit of the page.
    uint256[] ids;
    /// @dev Number of `ids` found so far.
    uint256 found;
    /// @dev Last id found; initially the id after which the page begins.
    uint256 cursor;
    /// @dev Index of the next word to read.
    uint256 word;
    /// @dev Index after the last word to read.
    uint256 endWord;
    /// @dev Highest id of the index.
    uint256 last;
    /// @dev Number of ids in a word of the index: 64 or 256.
    uint256 idsPerWord;
}

using IdScan for Scan global;

/// @title Bounded scan of an index over token ids
/// @notice Collects token ids in ascending order from an index with the same number of bits for each id. Reads a
/// limited number of words, so the gas of a call has a limit that doesn't depend on the size of the index.
/// @dev Each iteration adds the selected ids of one word:
///
///     Scan memory scan = IdScan.start(cursor, last, limit, 256);
///     while (scan.hasNext()) scan.addMatches(words[scan.word]);
library IdScan {
    using LibBit for uint256;

    /// @notice Highest number of words that one call reads. Each costs about 2,700 gas.
    uint256 internal constant WORD_BUDGET = 4096;

    /// @notice Returns a scan for at most `limit` ids after `cursor`, up to and including `last`.
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

    /// @notice Returns true if the page isn't full and another word can be read.
    function hasNext(Scan memory scan) internal pure returns (bool) {
        return scan.word < scan.endWord && scan.found < scan.ids.length;
    }

    /// @notice Adds the selected ids of the next word until the page is full.
    /// @param selected The next word, with the lowest bit of each selected id set.
    function addMatches(Scan memory scan, uint256 selected) internal pure {
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

    /// @notice Returns the last id examined, or 0 if it is the highest id.
    function nextCursor(Scan memory scan) internal pure returns (uint256) {
        bool isFull = scan.found == scan.ids.length;
        uint256 cursor = isFull ? scan.cursor : scan.word * scan.idsPerWord - 1;
        return cursor < scan.last ? cursor : 0;
    }
}
