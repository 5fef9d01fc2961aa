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

    /// @dev See `IdScan`: a word holds 2^6 ids.
    uint256 internal constant IDS_SHIFT = 6;

    uint8 private constant _ACTIVE = 0;
    uint256 private constant _INACTIVE_FLAG = 8;
    uint256 private constant _LANE = 0xf;
    uint256 private constant _ANY_INTERFACE = 7;
    uint256 private constant _EVERY_FLAG = 16;
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

    /// @notice The query for the records with a status.
    function withStatus(uint256 status_) internal pure returns (uint256 query) {
        return status_ == _ACTIVE ? _ANY_INTERFACE : _INACTIVE_FLAG | status_;
    }

    /// @notice The query for the Active records with at least one of `interfaces`, or with every one.
    function withInterfaces(uint256 interfaces, bool matchAll) internal pure returns (uint256 query) {
        return matchAll ? interfaces | _EVERY_FLAG : interfaces;
    }

    /// @notice Selects the records of a word that a query is for.
    /// @dev A query is a lane, and a flag when every one of the lane's lower three bits is wanted, not any of them.
    /// Inverting finds "every": no wanted bit is missing.
    function select(uint256 word, uint256 query) internal pure returns (uint256) {
        unchecked {
            uint256 wanted = _LOWEST_BITS * (query & _ANY_INTERFACE);
            word ^= _LOWEST_BITS * (query & _INACTIVE_FLAG);
            uint256 inversion = query < _EVERY_FLAG ? 0 : type(uint256).max;
            uint256 found = (word ^ inversion) & wanted;
            found = (found | (found >> 1) | (found >> 2)) ^ inversion;
            return found & ~(word >> 3) & _LOWEST_BITS;
        }
    }

    function _shift(uint256 tokenId) private pure returns (uint256) {
        return (tokenId & 63) << 2;
    }
}
