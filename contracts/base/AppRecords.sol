// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibRLP} from "solady/src/utils/LibRLP.sol";

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";
import {RecordBlob} from "../libraries/RecordBlob.sol";
import {RecordHead, RecordHeadLib} from "../libraries/RecordHead.sol";
import {Totals} from "../libraries/Totals.sol";

/// @title Storage of the App Registry
/// @notice Stores the parts of a record, and finds them by DID or token id.
/// @dev A record in storage:
///
///     RecordHead by didHash (and major)   token id, major versions, the last versions           1 slot
///     Record     by token id              owner, blob number, interfaces, …; dataHash           2 slots
///     blob       by number                minter, strings, trait hashes                         contract code
///     flags      by token id              interfaces and status, for listings                   1/64 slot
///     ownership  by holder and token id   the holder's tokens, for listings                     1/256 slot
///     history    by token id              versions older than the head's                        1/4 slot each
abstract contract AppRecords is IAppRegistry {
    using RecordBlob for RecordBlob.Content;

    struct Record {
        address owner;
        /// @dev Number of the blob, see `_blob`.
        uint40 blob;
        uint8 major;
        uint8 interfaces;
        uint8 dataHashAlgorithm;
        VersionOrder order;
        /// @dev True if another account than the minter finished the last reclaim, which ended the minter's part.
        bool hasMinterLost;
        /// @dev 0 if an act ended all reclaims since the last was opened. Bit 0 is set until any act ends reclaims, and
        /// bit 1 until an act ends those that the holder opened.
        uint8 claims;
        bytes32 dataHash;
    }

    /// @dev Heads of a DID's records.
    struct Service {
        /// @dev Head of the DID's first record, whose major version can be any. Every call loads this slot.
        RecordHead first;
        /// @dev Heads of the other major versions.
        mapping(uint8 major => RecordHead) others;
        /// @dev Time of the DID's last mint, if that was not its first.
        uint256 mintedAt;
    }

    /// @dev Shortest time between two mints of a DID, from its third mint on, in seconds.
    uint256 private constant _MINT_INTERVAL = 1 days;

    Totals internal _totals;

    mapping(bytes32 didHash => Service) internal _services;

    mapping(uint256 tokenId => Record) internal _records;

    /// @dev Word i holds the versions 4i to 4i + 3, see `RecordHeadLib`.
    mapping(uint256 tokenId => mapping(uint256 index => uint256)) internal _history;

    /// @dev Start index of each rising segment of a history, except the first segment, which starts at 0.
    mapping(uint256 tokenId => uint16[]) private _segments;

    /// @dev See `PackedRecordFlags`.
    mapping(uint256 word => uint256) internal _packedFlags;

    /// @dev Each claimant's last reclaim; 0 if it opened none, or finished it. Bits 0 to 63 hold the time of its opening,
    /// bit 64 is set if the claimant held the token then, and the highest 128 bits hold `_acts` of that time.
    mapping(uint256 tokenId => mapping(address claimant => uint256)) internal _claims;

    /// @dev Number of acts that ended reclaims of a record. The highest 64 of 128 bits count those that do not rest on
    /// the minter alone. The numbers tell what was before an act even in the same second.
    mapping(uint256 tokenId => uint256) internal _acts;

    /// @dev Returns the head of a record by its DID. Reverts with `AppNotFound`.
    function _headByDID(string memory did, uint8 major) internal view returns (RecordHead) {
        return _head(keccak256(bytes(did)), major);
    }

    /// @dev Returns the head of a record. Reverts with `AppNotFound`.
    function _head(bytes32 didHash, uint8 major) internal view returns (RecordHead head) {
        head = _headOrEmpty(didHash, major);
        if (head.isEmpty()) revert AppNotFound(didHash, major);
    }

    function _headOrEmpty(bytes32 didHash, uint8 major) internal view returns (RecordHead) {
        Service storage service = _services[didHash];
        RecordHead first = service.first;
        return first.major() == major ? first : service.others[major];
    }

    /// @dev Creates the head of a new major version. Reverts with `AppAlreadyExists`, `MintTooEarly` or `MajorNotNext`.
    function _createHead(bytes32 didHash, uint256 tokenId, uint8 major, uint8 minor, uint8 patch) internal {
        Service storage service = _services[didHash];
        RecordHead first = service.first;
        RecordHead head = RecordHeadLib.create(tokenId, major, major, minor, patch);
        if (first.isEmpty()) {
            service.first = head;
            return;
        }
        if (!_headOrEmpty(didHash, major).isEmpty()) revert AppAlreadyExists(didHash, major);
        uint256 mintableFrom = service.mintedAt + _MINT_INTERVAL;
        if (block.timestamp < mintableFrom) revert MintTooEarly(didHash, uint64(mintableFrom));
        service.mintedAt = block.timestamp;
        uint8 latest = first.latestMajor();
        if (major > latest) {
            unchecked {
                if (major - latest != 1) revert MajorNotNext(major, latest);
            }
            service.first = first.withLatestMajor(major);
        }
        service.others[major] = head;
    }

    /// @dev Reverts unless the version may follow the record's current one, see `VersionOrder`.
    /// @return isMinorHigher True if the minor version is higher than the current one.
    function _checkVersion(
        Record storage record,
        RecordHead head,
        uint8 minor,
        uint8 patch
    ) internal returns (bool isMinorHigher) {
        (uint8 currentMinor, uint8 currentPatch, ) = head.current();
        VersionOrder order = record.order;
        uint16 current = _rank(currentMinor, currentPatch);
        if (order != VersionOrder.Open && _rank(minor, patch) <= current) {
            if (current == type(uint16).max) revert VersionExhausted(head.major());
            revert VersionNotGreater(currentMinor, currentPatch, minor, patch);
        }
        if (order != VersionOrder.Rising) {
            bool isHighest = _isHighest(head, minor, patch);
            record.order = isHighest ? VersionOrder.Rising : VersionOrder.Lowered;
            if (_rank(minor, patch) < current) _segments[head.tokenId()].push(uint16(head.versionCount()));
        }
        return minor > currentMinor;
    }

    /// @dev Returns true if a version is higher than every version in the history. Reverts if the history contains it.
    function _isHighest(RecordHead head, uint8 minor, uint8 patch) private view returns (bool isHighest) {
        uint16[] storage starts = _segments[head.tokenId()];
        uint16 rank = _rank(minor, patch);
        isHighest = true;
        uint256 end = head.versionCount();
        for (uint256 i = starts.length + 1; i > 0; --i) {
            uint256 start = i > 1 ? starts[i - 2] : 0;
            if (rank <= _rankAt(head, end - 1)) {
                isHighest = false;
                if (_isInSegment(head, start, end, rank)) revert VersionTaken(head.major(), minor, patch);
            }
            end = start;
        }
    }

    /// @dev Returns true if a segment contains a version. Searches `start` to `end` (exclusive), which must be
    /// ascending.
    function _isInSegment(
        RecordHead head,
        uint256 start,
        uint256 end,
        uint16 rank
    ) private view returns (bool) {
        while (start < end) {
            uint256 middle = (start + end) / 2;
            uint16 found = _rankAt(head, middle);
            if (found == rank) return true;
            if (found < rank) start = middle + 1;
            else end = middle;
        }
        return false;
    }

    function _rankAt(RecordHead head, uint256 index) private view returns (uint16) {
        (uint8 minor, uint8 patch, ) = _versionAt(head, index);
        return _rank(minor, patch);
    }

    /// @dev Returns a version as a number that sorts in semver order.
    function _rank(uint8 minor, uint8 patch) private pure returns (uint16) {
        return (uint16(minor) << 8) | patch;
    }

    /// @dev Returns a version by its index, which must be below `head.versionCount()`.
    function _versionAt(
        RecordHead head,
        uint256 index
    ) internal view returns (uint8 minor, uint8 patch, uint64 registeredAt) {
        uint256 wordIndex = index / RecordHeadLib.VERSIONS_PER_WORD;
        bool isInHead = wordIndex == (head.versionCount() - 1) / RecordHeadLib.VERSIONS_PER_WORD;
        return
            RecordHeadLib.unpack(isInHead ? head.versionsWord() : _history[head.tokenId()][wordIndex], index);
    }

    /// @dev Appends a version that `_checkVersion` accepted to the record with this head.
    function _pushVersion(bytes32 didHash, RecordHead head, uint8 minor, uint8 patch) internal {
        (RecordHead next, bool isFlush) = head.appendVersion(minor, patch);
        if (isFlush) {
            uint256 index = head.versionCount() / RecordHeadLib.VERSIONS_PER_WORD;
            unchecked {
                _history[head.tokenId()][index - 1] = head.versionsWord();
            }
        }
        Service storage service = _services[didHash];
        if (service.first.major() == head.major()) service.first = next;
        else service.others[head.major()] = next;
    }

    /// @dev Writes a blob and returns its number.
    function _writeBlob(RecordBlob.Content memory content) internal returns (uint40 number) {
        Totals totals = _totals.withBlob();
        _totals = totals;
        number = totals.blobs();
        address pointer = content.write();
        // On a chain that derives addresses differently, nobody could find the blob. The first mint must fail there.
        assert(pointer == _blob(number));
    }

    /// @dev Returns the contract that holds a blob. The registry creates only the metadata store and then blobs, so a
    /// blob's number gives the nonce of its creation (EIP-161), and the nonce gives its address. No slot stores
    /// pointers.
    function _blob(uint256 number) internal view returns (address) {
        unchecked {
            return LibRLP.computeAddress(address(this), number + 1);
        }
    }
}
