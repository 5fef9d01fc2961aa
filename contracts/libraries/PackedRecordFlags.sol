// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AppStatus} from "./AppStatus.sol";

/// @title Packed record flags: interface bitmap and status of 64 records in one word
/// @notice One storage read finds the Active records with an interface among 64 records.
/// @dev The flags of a record are 4 bits. The record with token id t has the flags t % 64 of word t / 64.
///
///     255  252      7   4   3   0
///     +------+-----+-----+-----+      0 0 0 0   no record
///     |  63  | ... |  1  |  0  |      0 i i i   Active, iii = interface bitmap, 1 to 7
///     +------+-----+-----+-----+      1 0 0 1   Deprecated
///                                     1 0 1 0   Replaced
///
/// The flags hold the interface bitmap of Active records only, because only these can be listed by interface.
/// A selection is a word with the lowest flag bit of each selected record set.
library PackedRecordFlags {
    uint256 internal constant IDS_PER_WORD = 64;

    uint256 private constant _BITS_PER_RECORD = 4;
    uint256 private constant _FLAGS_MASK = 0xf;
    uint256 private constant _INACTIVE_FLAG = 8;
    uint256 private constant _ANY_INTERFACE = 7;
    /// @dev Selection of all records: 0x1111…
    uint256 private constant _EVERY_RECORD = type(uint256).max / _FLAGS_MASK;

    /// @notice Returns the status of `tokenId`, which must exist.
    function status(
        mapping(uint256 => uint256) storage words,
        uint256 tokenId
    ) internal view returns (uint8) {
        uint256 flags = (words[tokenId / IDS_PER_WORD] >> _shift(tokenId)) & _FLAGS_MASK;
        return flags < _INACTIVE_FLAG ? AppStatus.ACTIVE : uint8(flags ^ _INACTIVE_FLAG);
    }

    /// @notice Writes the flags of `tokenId`. Ignores `interfaces` unless the status is Active.
    function set(
        mapping(uint256 => uint256) storage words,
        uint256 tokenId,
        uint8 status_,
        uint8 interfaces
    ) internal {
        uint256 flags = status_ == AppStatus.ACTIVE ? interfaces : _INACTIVE_FLAG | status_;
        uint256 shift = _shift(tokenId);
        uint256 others = words[tokenId / IDS_PER_WORD] & ~(_FLAGS_MASK << shift);
        words[tokenId / IDS_PER_WORD] = others | (flags << shift);
    }

    /// @notice Selects the records of a word with a status.
    function withStatus(uint256 word, uint8 status_) internal pure returns (uint256) {
        if (status_ == AppStatus.ACTIVE) return withInterfaces(word, _ANY_INTERFACE, false);
        uint256 others = word ^ (_EVERY_RECORD * (_INACTIVE_FLAG | status_));
        return ~_nonZero(others) & _EVERY_RECORD;
    }

    /// @notice Selects the Active records of a word with at least one of `interfaces`, or with all of them.
    function withInterfaces(uint256 word, uint256 interfaces, bool matchAll) internal pure returns (uint256) {
        uint256 wanted = _EVERY_RECORD * interfaces;
        uint256 matching = matchAll ? ~_nonZero(~word & wanted) : _nonZero(word & wanted);
        uint256 active = ~(word >> 3);
        return matching & active & _EVERY_RECORD;
    }

    /// @dev Selects the records whose flags are not zero.
    function _nonZero(uint256 word) private pure returns (uint256) {
        return (word | (word >> 1) | (word >> 2) | (word >> 3)) & _EVERY_RECORD;
    }

    function _shift(uint256 tokenId) private pure returns (uint256) {
        return (tokenId % IDS_PER_WORD) * _BITS_PER_RECORD;
    }
}
