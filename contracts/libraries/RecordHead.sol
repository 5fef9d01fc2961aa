// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Record head: the token id and the newest versions of a record in one word
/// @notice Publishing a version writes a single slot.
/// @dev
///     255     208 207     160 159     112 111      64 63      48 47       40 39    32 31       0
///     +----------+-----------+-----------+-----------+----------+-----------+--------+----------+
///     | version  |  version  |  version  |  version  | index of |  latest   | major  | token id |
///     | 4k + 3   |  4k + 2   |  4k + 1   |    4k     | current  |  major    |        |          |
///     +----------+-----------+-----------+-----------+----------+-----------+--------+----------+
///
///     A version:   47              16 15    8 7     0      Versions are numbered from 0 in order of publication.
///                  +-----------------+-------+-------+     The head holds the current one and those before it
///                  |  registeredAt   | minor | patch |     down to the last multiple of four; each older four
///                  +-----------------+-------+-------+     are in one slot of the history, in the same places.
///
/// The latest major is the highest major version of the DID. Only the head of the DID's first record is kept up to
/// date. registeredAt holds Unix seconds until the year 2106. An empty head is 0, because token ids start at 1.
type RecordHead is uint256;

using RecordHeadLib for RecordHead global;

library RecordHeadLib {
    uint256 internal constant VERSIONS_PER_WORD = 4;

    uint256 private constant _MAJOR_SHIFT = 32;
    uint256 private constant _LATEST_MAJOR_SHIFT = 40;
    uint256 private constant _INDEX_SHIFT = 48;
    uint256 private constant _VERSIONS_SHIFT = 64;
    uint256 private constant _VERSION_BITS = 48;
    uint256 private constant _VERSION_MASK = (1 << _VERSION_BITS) - 1;

    /// @notice Returns the head of a new record with its first version, published now.
    function create(
        uint256 tokenId_,
        uint8 major_,
        uint8 latestMajor_,
        uint8 minor,
        uint8 patch
    ) internal view returns (RecordHead) {
        return
            RecordHead.wrap(
                tokenId_ |
                    (uint256(major_) << _MAJOR_SHIFT) |
                    (uint256(latestMajor_) << _LATEST_MAJOR_SHIFT) |
                    (_pack(minor, patch) << _VERSIONS_SHIFT)
            );
    }

    /// @notice Returns the head with one more version, published now.
    /// @return next The new head.
    /// @return isFlush True if `head` was full. The caller must then write its `versionsWord` to the history.
    function appendVersion(
        RecordHead head,
        uint8 minor,
        uint8 patch
    ) internal view returns (RecordHead next, bool isFlush) {
        unchecked {
            uint256 index = head.versionCount();
            uint256 place = index % VERSIONS_PER_WORD;
            isFlush = place == 0;
            uint256 word = RecordHead.unwrap(head);
            if (isFlush) word &= (1 << _VERSIONS_SHIFT) - 1;
            word += 1 << _INDEX_SHIFT;
            next = RecordHead.wrap(word | (_pack(minor, patch) << (_VERSIONS_SHIFT + place * _VERSION_BITS)));
        }
    }

    /// @notice Returns the head with another latest major version.
    function withLatestMajor(RecordHead head, uint8 latestMajor_) internal pure returns (RecordHead) {
        uint256 word = RecordHead.unwrap(head) & ~(uint256(0xff) << _LATEST_MAJOR_SHIFT);
        return RecordHead.wrap(word | (uint256(latestMajor_) << _LATEST_MAJOR_SHIFT));
    }

    function isEmpty(RecordHead head) internal pure returns (bool) {
        return RecordHead.unwrap(head) == 0;
    }

    function tokenId(RecordHead head) internal pure returns (uint256) {
        return uint32(RecordHead.unwrap(head));
    }

    function major(RecordHead head) internal pure returns (uint8) {
        return uint8(RecordHead.unwrap(head) >> _MAJOR_SHIFT);
    }

    function latestMajor(RecordHead head) internal pure returns (uint8) {
        return uint8(RecordHead.unwrap(head) >> _LATEST_MAJOR_SHIFT);
    }

    /// @notice Returns the number of published versions, 1 to 65,536.
    function versionCount(RecordHead head) internal pure returns (uint256) {
        unchecked {
            return uint256(uint16(RecordHead.unwrap(head) >> _INDEX_SHIFT)) + 1;
        }
    }

    /// @notice Returns the current version.
    function current(RecordHead head) internal pure returns (uint8 minor, uint8 patch, uint64 registeredAt) {
        unchecked {
            return unpack(head.versionsWord(), head.versionCount() - 1);
        }
    }

    /// @notice Returns the head's versions in the layout of a word of the history.
    function versionsWord(RecordHead head) internal pure returns (uint256) {
        return RecordHead.unwrap(head) >> _VERSIONS_SHIFT;
    }

    /// @notice Returns version `index` from the word that holds it.
    function unpack(
        uint256 word,
        uint256 index
    ) internal pure returns (uint8 minor, uint8 patch, uint64 registeredAt) {
        unchecked {
            uint256 version = (word >> ((index % VERSIONS_PER_WORD) * _VERSION_BITS)) & _VERSION_MASK;
            return (uint8(version >> 8), uint8(version), uint64(version >> 16));
        }
    }

    function _pack(uint8 minor, uint8 patch) private view returns (uint256) {
        return (uint256(uint32(block.timestamp)) << 16) | (uint256(minor) << 8) | patch;
    }
}
