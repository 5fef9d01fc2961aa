// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../../../contracts/interfaces/IAppRegistry.sol";
import {ReclaimsTwin} from "./ReclaimsTwin.sol";

/// @dev Implements reads with a loop over all records.
abstract contract ReadsTwin is ReclaimsTwin {
    function getApp(string calldata did, uint8 major) external view returns (IAppRegistry.App memory) {
        (, uint256 tokenId) = _locate(did, major);
        return _apps[tokenId];
    }

    function getAppByTokenId(uint256 tokenId) external view returns (IAppRegistry.App memory) {
        if (_owners[tokenId] == address(0)) revert IAppRegistry.TokenNotFound(tokenId);
        return _apps[tokenId];
    }

    function getAppSummary(
        string calldata did,
        uint8 major
    ) external view returns (IAppRegistry.AppSummary memory) {
        (, uint256 tokenId) = _locate(did, major);
        return _summary(tokenId);
    }

    function tokenIdOf(string calldata did, uint8 major) external view returns (uint256) {
        return _ids[keccak256(bytes(did))][major];
    }

    function latestMajor(bytes32 didHash) external view returns (uint8) {
        if (_majors[didHash].length == 0) revert IAppRegistry.AppNotFound(didHash, 0);
        return _latestMajor(didHash);
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        return _apps[tokenId].dataUrl;
    }

    function tokenByIndex(uint256 index) external view returns (uint256) {
        // For the highest index, index + 1 would overflow.
        uint256 tokenId = index == type(uint256).max ? 0 : index + 1;
        if (index >= totalSupply) revert IAppRegistry.TokenNotFound(tokenId);
        return tokenId;
    }

    function versionOrder(
        string calldata did,
        uint8 major
    ) external view returns (IAppRegistry.VersionOrder order) {
        (, uint256 tokenId) = _locate(did, major);
        if (_mayLower[tokenId]) return IAppRegistry.VersionOrder.Open;
        IAppRegistry.Version[] memory all = _apps[tokenId].versionHistory;
        uint256 current = _rank(all[all.length - 1]);
        for (uint256 i = 0; i < all.length; ++i) {
            if (_rank(all[i]) > current) return IAppRegistry.VersionOrder.Lowered;
        }
    }

    function getVersionHistory(
        string calldata did,
        uint8 major,
        uint256 cursor,
        uint256 limit
    ) external view returns (IAppRegistry.Version[] memory page, uint256 nextCursor) {
        if (limit == 0 || limit > 100) revert IAppRegistry.InvalidLimit(limit);
        (, uint256 tokenId) = _locate(did, major);
        IAppRegistry.Version[] memory all = _apps[tokenId].versionHistory;
        uint256 count = cursor >= all.length ? 0 : all.length - cursor;
        if (count > limit) (count, nextCursor) = (limit, cursor + limit);
        page = new IAppRegistry.Version[](count);
        for (uint256 i = 0; i < count; ++i) page[i] = all[cursor + i];
    }

    function hasAnyTraits(
        string calldata did,
        uint8 major,
        bytes32[] calldata wanted
    ) external view returns (bool) {
        (, uint256 tokenId) = _locate(did, major);
        for (uint256 i = 0; i < wanted.length; ++i) if (_hasTrait(tokenId, wanted[i])) return true;
        return false;
    }

    function hasAllTraits(
        string calldata did,
        uint8 major,
        bytes32[] calldata wanted
    ) external view returns (bool) {
        (, uint256 tokenId) = _locate(did, major);
        for (uint256 i = 0; i < wanted.length; ++i) if (!_hasTrait(tokenId, wanted[i])) return false;
        return true;
    }

    function getAppsByStatus(
        uint8 status,
        uint256 cursor,
        uint256 limit
    ) external view returns (IAppRegistry.AppSummary[] memory, uint256) {
        if (status > 2) revert IAppRegistry.InvalidStatus(status);
        bool[] memory wanted = new bool[](totalSupply + 1);
        for (uint256 id = 1; id <= totalSupply; ++id) wanted[id] = _apps[id].status == status;
        return _page(wanted, cursor, limit);
    }

    function getAppsByOwner(
        address owner,
        uint256 cursor,
        uint256 limit
    ) external view returns (IAppRegistry.AppSummary[] memory, uint256) {
        bool[] memory wanted = new bool[](totalSupply + 1);
        for (uint256 id = 1; id <= totalSupply; ++id) wanted[id] = _owners[id] == owner;
        return _page(wanted, cursor, limit);
    }

    function getAppsByInterface(
        uint16 interfaces,
        bool matchAll,
        uint256 cursor,
        uint256 limit
    ) external view returns (IAppRegistry.AppSummary[] memory, uint256) {
        if (interfaces == 0 || interfaces > 7) revert IAppRegistry.InvalidInterfaces(interfaces);
        bool[] memory wanted = new bool[](totalSupply + 1);
        for (uint256 id = 1; id <= totalSupply; ++id) {
            uint16 common = _apps[id].interfaces & interfaces;
            wanted[id] = _apps[id].status == 0 && (matchAll ? common == interfaces : common != 0);
        }
        return _page(wanted, cursor, limit);
    }

    function countByStatus(uint8 status) external view returns (uint256 count) {
        if (status > 2) revert IAppRegistry.InvalidStatus(status);
        for (uint256 id = 1; id <= totalSupply; ++id) if (_apps[id].status == status) ++count;
    }

    function _latestMajor(bytes32 didHash) internal view returns (uint8 latest) {
        uint8[] memory majors = _majors[didHash];
        for (uint256 i = 0; i < majors.length; ++i) if (majors[i] > latest) latest = majors[i];
    }

    function _page(
        bool[] memory wanted,
        uint256 cursor,
        uint256 limit
    ) private view returns (IAppRegistry.AppSummary[] memory page, uint256 nextCursor) {
        if (limit == 0 || limit > 100) revert IAppRegistry.InvalidLimit(limit);
        page = new IAppRegistry.AppSummary[](limit);
        uint256 count;
        if (cursor >= totalSupply) cursor = totalSupply;
        for (uint256 id = cursor + 1; id <= totalSupply && count < limit; ++id) {
            if (!wanted[id]) continue;
            page[count++] = _summary(id);
            if (count == limit && id < totalSupply) nextCursor = id;
        }
        assembly ("memory-safe") {
            mstore(page, count)
        }
    }

    function _summary(uint256 tokenId) private view returns (IAppRegistry.AppSummary memory summary) {
        IAppRegistry.App memory app = _apps[tokenId];
        summary.tokenId = tokenId;
        summary.owner = _owners[tokenId];
        summary.did = app.did;
        summary.versionMajor = app.versionMajor;
        summary.latestVersion = app.versionHistory[app.versionHistory.length - 1];
        summary.interfaces = app.interfaces;
        summary.dataUrl = app.dataUrl;
        summary.dataHash = app.dataHash;
        summary.dataHashAlgorithm = app.dataHashAlgorithm;
        summary.contractId = app.contractId;
        summary.fungibleTokenId = app.fungibleTokenId;
        summary.minter = app.minter;
        summary.status = app.status;
        summary.traitHashes = app.traitHashes;
    }

    function _rank(IAppRegistry.Version memory version) private pure returns (uint256) {
        return uint256(version.minor) * 256 + version.patch;
    }

    function _hasTrait(uint256 tokenId, bytes32 wanted) private view returns (bool) {
        bytes32[] memory traitHashes = _apps[tokenId].traitHashes;
        for (uint256 i = 0; i < traitHashes.length; ++i) if (traitHashes[i] == wanted) return true;
        return false;
    }
}
