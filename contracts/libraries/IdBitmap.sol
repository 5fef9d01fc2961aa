// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IdWords} from "./IdWords.sol";

/// @title Bitmap of token ids
/// @dev Token id t is bit t % 256 of word t / 256. Neighbouring ids share a word, so that a holder's next token
/// seldom opens a slot, and a page of its tokens is read 256 ids at a time.
library IdBitmap {
    using IdWords for uint256[1 << 26];

    /// @dev See `IdScan`: a word holds 2^8 ids.
    uint256 internal constant IDS_SHIFT = 8;

    /// @notice Adds `tokenId` when it is not in the set, and takes it out when it is.
    function toggle(uint256[1 << 26] storage words, uint256 tokenId) internal {
        words.write(tokenId >> 8, words.read(tokenId >> 8) ^ (1 << (tokenId & 255)));
    }

    /// @notice Selects every id of a word.
    function all(uint256 word, uint256) internal pure returns (uint256) {
        return word;
    }
}
