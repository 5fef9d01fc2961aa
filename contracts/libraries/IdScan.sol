// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {LibBit} from "solady/src/utils/LibBit.sol";

/// @notice A page of token ids that is being collected.
struct Scan {
    /// @dev Room for as many ids as the page may have.
    uint256[] ids;
    /// @dev Number of `ids` found so far.
    uint256 found;
    /// @dev The last id found; initially the id after which the page begins.
    uint256 cursor;
    /// @dev Index of the next word to read.
    uint256 word;
    /// @dev Index after the last word to read.
    uint256 endWord;
    /// @dev Highest id there is.
    uint256 last;
    /// @dev Number of ids in a word of the index: 64 or 256.
    uint256 idsPerWord;
}

using IdScan for Scan global;

/// @title Bounded scan of an index over token ids
/// @notice Collects token ids in ascending order from an index with the same number of bits for each id (lanes,
/// bitmaps). It reads a limited number of words, so a call's gas is bounded whatever the size of the index.
/// @dev Each turn takes the selected ids of one word:
///
///     Scan memory scan = IdScan.start(cursor, last, limit, 256);
///     while (scan.hasNext()) scan.addMatches(words[scan.word]);
library IdScan {
    using LibBit for uint256;

    /// @notice The most words that one call reads; each costs about 2,700 gas.
    uint256 internal constant WORD_BUDGET = 4096;

    /// @notice An empty page for at most `limit` ids after `cursor`, up to and including `last`.
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

    /// @notice Returns true if the page has room and there is another word to read.
    function hasNext(Scan memory scan) internal pure returns (bool) {
        return scan.word < scan.endWord && scan.found < scan.ids.length;
    }

    /// @notice Adds the selected ids of the next word, as long as there is room.
    /// @param selected The next word with the lowest bit of each selected id set.
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

    /// @notice The last id examined, or 0 if that is the highest.
    function nextCursor(Scan memory scan) internal pure returns (uint256) {
        bool isFull = scan.found == scan.ids.length;
        uint256 cursor = isFull ? scan.cursor : scan.word * scan.idsPerWord - 1;
        return cursor < scan.last ? cursor : 0;
    }
}
