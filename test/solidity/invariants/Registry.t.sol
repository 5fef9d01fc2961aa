// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppMetadata} from "../../../contracts/interfaces/IAppMetadata.sol";
import {IAppRegistry} from "../../../contracts/interfaces/IAppRegistry.sol";
import {RegistryHandler} from "./RegistryHandler.sol";

/// @dev Invariants of a registry under random calls of its users.
contract RegistryInvariantsTest is RegistryHandler {
    function targetContracts() external view returns (address[] memory) {
        return _targetContracts();
    }

    function targetSelectors() external view returns (FuzzSelector[] memory) {
        bytes4[] memory selectors = new bytes4[](3);
        selectors[0] = selectors[1] = this.act.selector;
        selectors[2] = this.steal.selector;
        return _targetSelectors(selectors);
    }

    /// @dev Requires that calls of each kind succeeded: a run without them would prove nothing.
    function afterInvariant() external view {
        require(_accepted[IAppRegistry.mint.selector] > 0, "no mint");
        require(_accepted[IAppRegistry.updateAppControlled.selector] > 0, "no update");
        require(_accepted[IAppRegistry.updateStatus.selector] > 0, "no change of status");
        require(_accepted[registry.transferFrom.selector] > 0, "no transfer");
    }

    function invariant_didAndMajorAreUnique() external view {
        uint256 supply = registry.totalSupply();
        bytes32[] memory keys = new bytes32[](supply + 1);
        for (uint256 id = 1; id <= supply; ++id) {
            IAppRegistry.App memory app = registry.getAppByTokenId(id);
            keys[id] = keccak256(abi.encode(app.did, app.versionMajor));
            require(registry.tokenIdOf(app.did, app.versionMajor) == id, "token id");
            require(registry.latestMajor(keccak256(bytes(app.did))) >= app.versionMajor, "latest");
            for (uint256 other = 1; other < id; ++other) require(keys[other] != keys[id], "twice");
        }
    }

    function invariant_listingsByStatusFindEachRecordOnce() external view {
        IAppRegistry.App[] memory apps = _apps();
        uint256 sum = 0;
        for (uint8 status = 0; status < 3; ++status) {
            bool[] memory expected = new bool[](apps.length);
            for (uint256 id = 1; id < apps.length; ++id) expected[id] = apps[id].status == status;
            uint256 found = _requireEachOnce(this.byStatus, status, expected);
            require(registry.countByStatus(status) == found, "count");
            sum += found;
        }
        require(sum == registry.totalSupply(), "supply");
    }

    function invariant_listingsByOwnerFindEachRecordOnce() external view {
        uint256 supply = registry.totalSupply();
        uint256 sum = 0;
        for (uint256 i = 0; i < ACCOUNTS; ++i) {
            bool[] memory expected = new bool[](supply + 1);
            for (uint256 id = 1; id <= supply; ++id) expected[id] = registry.ownerOf(id) == _account(i);
            uint256 found = _requireEachOnce(this.byOwner, i, expected);
            require(registry.balanceOf(_account(i)) == found, "balance");
            sum += found;
        }
        require(sum == supply, "supply");
    }

    /// @dev Queries another bitmap at each step, so that a run covers all of them.
    function invariant_listingsByInterfaceFindEachRecordOnce() external view {
        IAppRegistry.App[] memory apps = _apps();
        uint256 query = 2 + (_steps % 14);
        (uint16 wanted, bool matchAll) = (uint16(query >> 1), query & 1 == 1);
        bool[] memory expected = new bool[](apps.length);
        for (uint256 id = 1; id < apps.length; ++id) {
            uint16 common = apps[id].interfaces & wanted;
            expected[id] = apps[id].status == 0 && (matchAll ? common == wanted : common > 0);
        }
        _requireEachOnce(this.byInterface, query, expected);
    }

    /// @dev `note` requires at each update that no version is published twice.
    function invariant_historiesOnlyGrow() external {
        for (uint256 id = 1; id <= registry.totalSupply(); ++id) {
            _extendHistory(id);
            IAppRegistry.Version[] memory versions = registry.getAppByTokenId(id).versionHistory;
            for (uint256 i = 1; i < versions.length; ++i) {
                require(versions[i].major == versions[0].major, "major");
                require(versions[i].registeredAt >= versions[i - 1].registeredAt, "time");
            }
        }
    }

    function invariant_jsonHashesToWhatItsVersionRecorded() external view {
        IAppMetadata store = registry.metadata();
        for (uint256 id = 1; id <= registry.totalSupply(); ++id) {
            string memory did = registry.getAppByTokenId(id).did;
            (string memory json, uint8 major, uint8 minor, uint8 patch, bytes32 hash, ) = store.getMetadata(
                did
            );
            if (bytes(json).length == 0) continue;
            Recorded memory version = _recorded[keccak256(abi.encode(did, major, minor, patch))];
            bytes32 actual = version.algorithm == 0 ? keccak256(bytes(json)) : sha256(bytes(json));
            require(actual == version.dataHash && hash == version.dataHash, "hash");
        }
    }

    // These functions have the same signature, so that `_requireEachOnce` can read the pages of any listing.

    function byStatus(
        uint256 status,
        uint256 cursor,
        uint256 limit
    ) external view returns (IAppRegistry.AppSummary[] memory, uint256) {
        return registry.getAppsByStatus(uint8(status), cursor, limit);
    }

    function byOwner(
        uint256 index,
        uint256 cursor,
        uint256 limit
    ) external view returns (IAppRegistry.AppSummary[] memory, uint256) {
        return registry.getAppsByOwner(_account(index), cursor, limit);
    }

    function byInterface(
        uint256 query,
        uint256 cursor,
        uint256 limit
    ) external view returns (IAppRegistry.AppSummary[] memory, uint256) {
        return registry.getAppsByInterface(uint16(query >> 1), query & 1 == 1, cursor, limit);
    }

    /// @dev Returns every record at the index of its token id.
    function _apps() private view returns (IAppRegistry.App[] memory apps) {
        apps = new IAppRegistry.App[](registry.totalSupply() + 1);
        for (uint256 id = 1; id < apps.length; ++id) apps[id] = registry.getAppByTokenId(id);
    }

    /// @dev Reads all pages and requires the expected ids in ascending order. The limit differs at each step.
    function _requireEachOnce(
        function(
            uint256,
            uint256,
            uint256
        ) external view returns (IAppRegistry.AppSummary[] memory, uint256) page,
        uint256 query,
        bool[] memory expected
    ) private view returns (uint256 found) {
        uint256 last;
        uint256 cursor;
        uint256 limit = 1 + ((_steps + query) % 5);
        do {
            IAppRegistry.AppSummary[] memory apps;
            (apps, cursor) = page(query, cursor, limit);
            require(apps.length <= limit, "limit");
            for (uint256 i = 0; i < apps.length; ++i) {
                require(apps[i].tokenId > last && expected[apps[i].tokenId], "order");
                last = apps[i].tokenId;
                ++found;
            }
        } while (cursor != 0);
        uint256 count;
        for (uint256 id = 1; id < expected.length; ++id) if (expected[id]) ++count;
        require(found == count, "missing");
    }
}
