// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";
import {AppStatus} from "../libraries/AppStatus.sol";
import {Head, HeadLib} from "../libraries/Head.sol";
import {IdBitmap} from "../libraries/IdBitmap.sol";
import {IdScan} from "../libraries/IdScan.sol";
import {Interfaces} from "../libraries/Interfaces.sol";
import {RecordLanes} from "../libraries/RecordLanes.sol";
import {RecordBlob} from "../libraries/RecordBlob.sol";
import {TraitHashes} from "../libraries/TraitHashes.sol";
import {AppToken} from "./AppToken.sol";

/// @title Reads of the App Registry
/// @notice Single records, and listings whose gas has a limit whatever the size of the registry.
abstract contract AppReads is AppToken {
    using IdScan for uint256[1 << 26];
    using RecordLanes for uint256[1 << 26];
    using TraitHashes for bytes32[];

    uint256 private constant _MAX_LIMIT = 100;

    /// @inheritdoc IAppRegistry
    function getApp(string memory did, uint8 major) public view returns (App memory) {
        return _app(_headOf(did, major).tokenId());
    }

    /// @inheritdoc IAppRegistry
    function getAppByTokenId(uint256 tokenId) external view returns (App memory) {
        _requireToken(tokenId);
        return _app(tokenId);
    }

    /// @inheritdoc IAppRegistry
    function getAppSummary(string memory did, uint8 major) public view returns (AppSummary memory) {
        return _summary(_headOf(did, major).tokenId())[0];
    }

    /// @inheritdoc IAppRegistry
    function tokenIdOf(string memory did, uint8 major) public view returns (uint256 tokenId) {
        return _headOrEmpty(keccak256(bytes(did)), major).tokenId();
    }

    /// @inheritdoc IAppRegistry
    function latestMajor(bytes32 didHash) external view returns (uint8 major) {
        Head first = _services[didHash].first;
        if (first.isEmpty()) revert AppNotFound(didHash, 0);
        return first.latestMajor();
    }

    /// @inheritdoc IAppRegistry
    function getVersionHistory(
        string memory did,
        uint8 major,
        uint256 cursor,
        uint256 limit
    ) public view returns (Version[] memory page, uint256 nextCursor) {
        _checkLimit(limit);
        Head head = _headOf(did, major);
        uint256 count = head.versionCount();
        if (cursor >= count) return (page, 0);
        unchecked {
            uint256 end = count - cursor > limit ? cursor + limit : count;
            return (_versions(head, cursor, end), end == count ? 0 : end);
        }
    }

    /// @inheritdoc IAppRegistry
    function hasAnyTraits(
        string memory did,
        uint8 major,
        bytes32[] memory traitHashes
    ) public view returns (bool) {
        return _traitHashes(did, major).hasAny(traitHashes);
    }

    /// @inheritdoc IAppRegistry
    function hasAllTraits(
        string memory did,
        uint8 major,
        bytes32[] memory traitHashes
    ) public view returns (bool) {
        return _traitHashes(did, major).hasAll(traitHashes);
    }

    /// @inheritdoc IAppRegistry
    function getAppsByStatus(
        uint8 status,
        uint256 cursor,
        uint256 limit
    ) external view returns (AppSummary[] memory page, uint256 nextCursor) {
        AppStatus.check(status);
        return
            _page(
                _lanes,
                RecordLanes.IDS_SHIFT,
                RecordLanes.select,
                RecordLanes.withStatus(status),
                cursor,
                limit
            );
    }

    /// @inheritdoc IAppRegistry
    function getAppsByOwner(
        address owner,
        uint256 cursor,
        uint256 limit
    ) external view returns (AppSummary[] memory page, uint256 nextCursor) {
        return _page(_holders[owner].tokenIds, IdBitmap.IDS_SHIFT, IdBitmap.all, 0, cursor, limit);
    }

    /// @inheritdoc IAppRegistry
    function getAppsByInterface(
        uint16 interfaces,
        bool matchAll,
        uint256 cursor,
        uint256 limit
    ) external view returns (AppSummary[] memory page, uint256 nextCursor) {
        Interfaces.check(interfaces);
        uint256 query = RecordLanes.withInterfaces(interfaces, matchAll);
        return _page(_lanes, RecordLanes.IDS_SHIFT, RecordLanes.select, query, cursor, limit);
    }

    /// @inheritdoc IAppRegistry
    function countByStatus(uint8 status) external view returns (uint256) {
        AppStatus.check(status);
        return _totals.count(status);
    }

    function _app(uint256 tokenId) private view returns (App memory app) {
        AppSummary memory summary = _summary(tokenId)[0];
        Head head = _headOrEmpty(keccak256(bytes(summary.did)), summary.versionMajor);
        app.did = summary.did;
        app.versionMajor = summary.versionMajor;
        app.versionHistory = _versions(head, 0, head.versionCount());
        app.interfaces = summary.interfaces;
        app.dataUrl = summary.dataUrl;
        app.dataHash = summary.dataHash;
        app.dataHashAlgorithm = summary.dataHashAlgorithm;
        app.contractId = summary.contractId;
        app.fungibleTokenId = summary.fungibleTokenId;
        app.minter = summary.minter;
        app.status = summary.status;
        app.traitHashes = summary.traitHashes;
    }

    /// @dev A page of one record.
    function _summary(uint256 tokenId) private view returns (AppSummary[] memory page) {
        uint256[] memory tokenIds;
        assembly ("memory-safe") {
            tokenIds := mload(0x40)
            mstore(tokenIds, 1)
            mstore(add(tokenIds, 0x20), tokenId)
            mstore(0x40, add(tokenIds, 0x40))
        }
        return _summaries(tokenIds);
    }

    /// @dev Puts the summary of a record into a page, which has the place. A struct literal has no empty record made
    /// first, as a return variable would.
    function _put(AppSummary[] memory page, uint256 index, uint256 tokenId) private view {
        Record storage record = _records[tokenId];
        RecordBlob.Content memory content = RecordBlob.read(_blob(record.blob));
        Head head = _headOrEmpty(keccak256(bytes(content.did)), record.major);
        (uint8 minor, uint8 patch, uint64 registeredAt) = head.current();
        AppSummary memory summary = AppSummary({
            tokenId: tokenId,
            owner: record.owner,
            did: content.did,
            versionMajor: record.major,
            latestVersion: Version(record.major, minor, patch, registeredAt),
            interfaces: record.interfaces,
            dataUrl: content.dataUrl,
            dataHash: record.dataHash,
            dataHashAlgorithm: record.dataHashAlgorithm,
            contractId: content.contractId,
            fungibleTokenId: content.fungibleTokenId,
            minter: content.minter,
            status: _lanes.status(tokenId),
            traitHashes: content.traitHashes
        });
        assembly ("memory-safe") {
            mstore(add(page, shl(5, add(index, 1))), summary)
        }
    }

    function _page(
        uint256[1 << 26] storage words,
        uint256 idsShift,
        function(uint256, uint256) pure returns (uint256) select,
        uint256 query,
        uint256 cursor,
        uint256 limit
    ) private view returns (AppSummary[] memory, uint256) {
        _checkLimit(limit);
        (uint256[] memory tokenIds, uint256 nextCursor) = words.collect(
            idsShift,
            select,
            query,
            cursor,
            _totals.supply(),
            limit
        );
        return (_summaries(tokenIds), nextCursor);
    }

    function _checkLimit(uint256 limit) private pure {
        if (limit == 0 || limit > _MAX_LIMIT) revert InvalidLimit(limit);
    }

    /// @dev The records of some tokens. Each token id in the array gives way to its record, so that no array of empty
    /// records is made first.
    function _summaries(uint256[] memory tokenIds) private view returns (AppSummary[] memory page) {
        assembly ("memory-safe") {
            page := tokenIds
        }
        for (uint256 i; i < tokenIds.length; ++i) {
            _put(page, i, tokenIds[i]);
        }
    }

    /// @dev The versions `start` to `end`, exclusive, of a record.
    function _versions(
        Head head,
        uint256 start,
        uint256 end
    ) private view returns (Version[] memory versions) {
        unchecked {
            versions = new Version[](end - start);
            uint256 tokenId = head.tokenId();
            uint256 headIndex = (head.versionCount() - 1) / HeadLib.VERSIONS_PER_WORD;
            for (uint256 i = start; i < end; ++i) {
                uint256 index = i / HeadLib.VERSIONS_PER_WORD;
                uint256 word = index == headIndex ? head.versionsWord() : _history[tokenId][index];
                _fill(versions[i - start], head, word, i);
            }
        }
    }

    function _fill(Version memory version, Head head, uint256 word, uint256 index) private pure {
        version.major = head.major();
        (version.minor, version.patch, version.registeredAt) = HeadLib.unpack(word, index);
    }

    function _traitHashes(string memory did, uint8 major) private view returns (bytes32[] memory) {
        uint256 tokenId = _headOf(did, major).tokenId();
        return RecordBlob.read(_blob(_records[tokenId].blob)).traitHashes;
    }
}
