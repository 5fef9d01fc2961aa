// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IdWords} from "./IdWords.sol";

/// @title Record lanes: interface bitmap and status of 64 records in one word
/// @notice One storage read answers "which of these 64 records are Active with this interface?".
/// @dev A lane has 4 bits; the record with token id t stands in lane t % 64 of word t / 64.
///
///     255  252      7   4   3   0
///     +------+-----+-----+-----+      0 0 0 0   no record
///     |  63  | ... |  1  |  0  |      0 i i i   Active, iii = interface bitmap, 1 to 7
///     +------+-----+-----+-----+      1 0 s s   not Active, ss = status, 1 or 2
///
/// The interface bitmap of a record that is not Active is not in its lane: only Active records are searched by it.
/// A selection is a word with the lowest bit of each selected lane set.
library RecordLanes {
    using IdWords for uint256[1 << 26];

    uint256 internal constant BITS = 4;

    uint8 private constant _ACTIVE = 0;
    uint256 private constant _INACTIVE_FLAG = 8;
    uint256 private constant _LANE = 0xf;
    uint256 private constant _ANY_INTERFACE = 7;
    uint256 private constant _LOWEST_BITS = type(uint256).max / _LANE; // 0x1111…

    /// @notice The status in the lane of `tokenId`, which must exist.
    function status(uint256[1 << 26] storage words, uint256 tokenId) internal view returns (uint8) {
        uint256 lane = (words.read(tokenId >> 6) >> _shift(tokenId)) & _LANE;
        return lane < _INACTIVE_FLAG ? _ACTIVE : uint8(lane ^ _INACTIVE_FLAG);
    }

    /// @notice Writes the lane of `tokenId`.
    function set(uint256[1 << 26] storage words, uint256 tokenId, uint8 status_, uint8 interfaces) internal {
        uint256 lane = status_ == _ACTIVE ? interfaces : _INACTIVE_FLAG | status_;
        uint256 word = words.read(tokenId >> 6);
        uint256 shift = _shift(tokenId);
        words.write(tokenId >> 6, (word & ~(_LANE << shift)) | (lane << shift));
    }

    /// @notice Selects the records of a word with a status.
    function withStatus(uint256 word, uint256 status_) internal pure returns (uint256) {
        if (status_ == _ACTIVE) return withAnyInterface(word, _ANY_INTERFACE);
        return (word >> 3) & (word >> (status_ - 1)) & _LOWEST_BITS;
    }

    /// @notice Selects the Active records of a word that have at least one of `interfaces`.
    function withAnyInterface(uint256 word, uint256 interfaces) internal pure returns (uint256) {
        return _withAnyOf(word & (_LOWEST_BITS * interfaces)) & ~(word >> 3) & _LOWEST_BITS;
    }

    /// @notice Selects the Active records of a word that have every one of `interfaces`, which is not 0.
    function withAllInterfaces(uint256 word, uint256 interfaces) internal pure returns (uint256) {
        uint256 missing = ~word & (_LOWEST_BITS * interfaces);
        return ~_withAnyOf(missing) & ~(word >> 3) & _LOWEST_BITS;
    }

    /// @dev The lowest bit of each lane is the union of the lane's three interface bits.
    function _withAnyOf(uint256 word) private pure returns (uint256) {
        return word | (word >> 1) | (word >> 2);
    }

    function _shift(uint256 tokenId) private pure returns (uint256) {
        return (tokenId & 63) * BITS;
    }
}
