// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";
import {AppStatus} from "../libraries/AppStatus.sol";
import {IdBitmap} from "../libraries/IdBitmap.sol";
import {IdScan, Scan} from "../libraries/IdScan.sol";
import {Interfaces} from "../libraries/Interfaces.sol";
import {PackedRecordFlags} from "../libraries/PackedRecordFlags.sol";
import {RecordBlob} from "../libraries/RecordBlob.sol";
import {RecordHead} from "../libraries/RecordHead.sol";
import {TraitHashes} from "../libraries/TraitHashes.sol";
import {AppToken} from "./AppToken.sol";

/// @title Reads of the App Registry
/// @notice Returns single records, and pages of records. A page's gas has a limit that doesn't depend on the size of
/// the registry.
abstract contract AppReads is AppToken {
    using PackedRecordFlags for uint256;
    using PackedRecordFlags for mapping(uint256 => uint256);
    using TraitHashes for bytes32[];

    uint256 private constant _MAX_LIMIT = 100;

    /// @inheritdoc IAppRegistry
    function getApp(string memory did, uint8 major) public view returns (App memory) {
        return _app(_headByDID(did, major).tokenId());
    }

    /// @inheritdoc IAppRegistry
    function getAppByTokenId(uint256 tokenId) external view returns (App memory) {
        _requireToken(tokenId);
        return _app(tokenId);
    }

    /// @inheritdoc IAppRegistry
    function getAppSummary(string memory did, uint8 major) public view returns (AppSummary memory) {
        return _summary(_headByDID(did, major).tokenId());
    }

    /// @inheritdoc IAppRegistry
    function tokenIdOf(string memory did, uint8 major) public view returns (uint256 tokenId) {
        return _headOrEmpty(keccak256(bytes(did)), major).tokenId();
    }

    /// @inheritdoc IAppRegistry
    function latestMajor(bytes32 didHash) external view returns (uint8 major) {
        RecordHead first = _services[didHash].first;
        if (first.isEmpty()) revert AppNotFound(didHash, 0);
        return first.latestMajor();
    }

    /// @inheritdoc IAppRegistry
    function versionOrder(string memory did, uint8 major) public view returns (VersionOrder) {
        return _records[_headByDID(did, major).tokenId()].order;
    }

    /// @inheritdoc IAppRegistry
    function getVersionHistory(
        string memory did,
        uint8 major,
        uint256 cursor,
        uint256 limit
    ) public view returns (Version[] memory page, uint256 nextCursor) {
        _checkLimit(limit);
        RecordHead head = _headByDID(did, major);
        uint256 count = head.versionCount();
        if (cursor >= count) return (page, 0);
        bool isLast = count - cursor <= limit;
        uint256 end = isLast ? count : cursor + limit;
        return (_versions(head, cursor, end), isLast ? 0 : end);
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
        Scan memory scan = _scan(cursor, limit, PackedRecordFlags.IDS_PER_WORD);
        while (scan.hasNext()) scan.addMatches(_packedFlags[scan.word].withStatus(status));
        return (_page(scan), scan.nextCursor());
    }

    /// @inheritdoc IAppRegistry
    function getAppsByOwner(
        address owner,
        uint256 cursor,
        uint256 limit
    ) external view returns (AppSummary[] memory page, uint256 nextCursor) {
        mapping(uint256 => uint256) storage tokenIds = _holders[owner].tokenIds;
        Scan memory scan = _scan(cursor, limit, IdBitmap.IDS_PER_WORD);
        while (scan.hasNext()) scan.addMatches(tokenIds[scan.word]);
        return (_page(scan), scan.nextCursor());
    }

    /// @inheritdoc IAppRegistry
    function getAppsByInterface(
        uint16 interfaces,
        bool matchAll,
        uint256 cursor,
        uint256 limit
    ) external view returns (AppSummary[] memory page, uint256 nextCursor) {
        Interfaces.check(interfaces);
        Scan memory scan = _scan(cursor, limit, PackedRecordFlags.IDS_PER_WORD);
        while (scan.hasNext()) scan.addMatches(_packedFlags[scan.word].withInterfaces(interfaces, matchAll));
        return (_page(scan), scan.nextCursor());
    }

    /// @inheritdoc IAppRegistry
    function countByStatus(uint8 status) external view returns (uint256) {
        AppStatus.check(status);
        return _totals.count(status);
    }

    function _app(uint256 tokenId) private view returns (App memory app) {
        AppSummary memory summary = _summary(tokenId);
        RecordHead head = _headOrEmpty(keccak256(bytes(summary.did)), summary.versionMajor);
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

    function _scan(uint256 cursor, uint256 limit, uint256 idsPerWord) private view returns (Scan memory) {
        _checkLimit(limit);
        return IdScan.start(cursor, _totals.supply(), limit, idsPerWord);
    }

    /// @dev Returns the records that a scan found.
    function _page(Scan memory scan) private view returns (AppSummary[] memory page) {
        page = new AppSummary[](scan.found);
        for (uint256 i = 0; i < page.length; ++i) _fillSummary(page[i], scan.ids[i]);
    }

    function _summary(uint256 tokenId) private view returns (AppSummary memory summary) {
        _fillSummary(summary, tokenId);
    }

    /// @dev Fills a summary in place. Copying the summaries of a page of 100 would raise its gas by a quarter.
    function _fillSummary(AppSummary memory summary, uint256 tokenId) private view {
        Record storage record = _records[tokenId];
        RecordBlob.Content memory content = RecordBlob.read(_blob(record.blob));
        summary.tokenId = tokenId;
        summary.owner = record.owner;
        summary.did = content.did;
        summary.versionMajor = record.major;
        Version memory latest = summary.latestVersion;
        latest.major = record.major;
        (latest.minor, latest.patch, latest.registeredAt) = _headOrEmpty(
            keccak256(bytes(content.did)),
            record.major
        ).current();
        summary.interfaces = record.interfaces;
        summary.dataUrl = content.dataUrl;
        summary.dataHash = record.dataHash;
        summary.dataHashAlgorithm = record.dataHashAlgorithm;
        summary.contractId = content.contractId;
        summary.fungibleTokenId = content.fungibleTokenId;
        summary.minter = content.minter;
        summary.status = _packedFlags.status(tokenId);
        summary.traitHashes = content.traitHashes;
    }

    /// @dev Returns the versions of a record from `start` to `end` (exclusive).
    function _versions(
        RecordHead head,
        uint256 start,
        uint256 end
    ) private view returns (Version[] memory versions) {
        versions = new Version[](end - start);
        for (uint256 i = start; i < end; ++i) {
            (uint8 minor, uint8 patch, uint64 registeredAt) = _versionAt(head, i);
            versions[i - start] = Version(head.major(), minor, patch, registeredAt);
        }
    }

    function _traitHashes(string memory did, uint8 major) private view returns (bytes32[] memory) {
        uint256 tokenId = _headByDID(did, major).tokenId();
        return RecordBlob.read(_blob(_records[tokenId].blob)).traitHashes;
    }

    function _checkLimit(uint256 limit) private pure {
        if (limit == 0 || limit > _MAX_LIMIT) revert InvalidLimit(limit);
    }
}
