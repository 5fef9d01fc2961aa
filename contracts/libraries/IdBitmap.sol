// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Bitmap of token ids
/// @dev Token id t is bit t % 256 of word t / 256. Neighbouring ids share a word, so that a holder's next token
/// seldom opens a slot, and a page of its tokens is read 256 ids at a time.
library IdBitmap {
    uint256 internal constant IDS_PER_WORD = 256;

    /// @notice Adds `tokenId` when it is not in the set, and takes it out when it is.
    function toggle(mapping(uint256 => uint256) storage words, uint256 tokenId) internal {
        words[tokenId / IDS_PER_WORD] ^= 1 << (tokenId % IDS_PER_WORD);
    }
}
