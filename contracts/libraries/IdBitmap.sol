// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Bitmap of token ids
/// @dev Token id t is bit t % 256 of word t / 256. Consecutive ids share a word, so a holder's next token rarely needs
/// a new slot, and one read covers 256 ids.
library IdBitmap {
    uint256 internal constant IDS_PER_WORD = 256;

    /// @notice Adds `tokenId` if it isn't in the set, and removes it if it is.
    function toggle(mapping(uint256 => uint256) storage words, uint256 tokenId) internal {
        words[tokenId / IDS_PER_WORD] ^= 1 << (tokenId % IDS_PER_WORD);
    }
}
