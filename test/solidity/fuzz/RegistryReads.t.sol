// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {RegistryFuzz} from "./RegistryFuzz.sol";

/// @dev Compares each read of the registry with the plain twin, after random calls.
contract RegistryReadsTest is RegistryFuzz {
    function testFuzz_getApp(uint256[6] calldata seeds, uint256 seed, string calldata any) external {
        _live(seeds);
        (string memory did, uint8 major) = _record(seed, any);
        _read(abi.encodeCall(registry.getApp, (did, major)));
    }

    function testFuzz_getAppByTokenId(uint256[6] calldata seeds, uint256 tokenId) external {
        _live(seeds);
        _read(abi.encodeCall(registry.getAppByTokenId, (_id(tokenId))));
    }

    function testFuzz_getAppSummary(uint256[6] calldata seeds, uint256 seed, string calldata any) external {
        _live(seeds);
        (string memory did, uint8 major) = _record(seed, any);
        _read(abi.encodeCall(registry.getAppSummary, (did, major)));
    }

    function testFuzz_tokenIdOf(uint256[6] calldata seeds, uint256 seed, string calldata any) external {
        _live(seeds);
        (string memory did, uint8 major) = _record(seed, any);
        _read(abi.encodeCall(registry.tokenIdOf, (did, major)));
    }

    function testFuzz_latestMajor(uint256[6] calldata seeds, uint256 did, bytes32 any) external {
        _live(seeds);
        bytes32 didHash = did >> 253 == 0 ? any : keccak256(bytes(_did(did)));
        _read(abi.encodeCall(registry.latestMajor, (didHash)));
    }

    function testFuzz_versionOrder(uint256[6] calldata seeds, uint256 seed, string calldata any) external {
        _live(seeds);
        (string memory did, uint8 major) = _record(seed, any);
        _read(abi.encodeCall(registry.versionOrder, (did, major)));
    }

    function testFuzz_getVersionHistory(
        uint256[6] calldata seeds,
        uint256 seed,
        string calldata any,
        uint256 cursor,
        uint256 limit
    ) external {
        _live(seeds);
        (string memory did, uint8 major) = _record(seed, any);
        cursor = _small(cursor, 5);
        _read(abi.encodeCall(registry.getVersionHistory, (did, major, cursor, _limit(limit))));
    }

    function testFuzz_hasAnyTraits(
        uint256[6] calldata seeds,
        uint256 seed,
        string calldata any,
        bytes32[] calldata wanted
    ) external {
        _live(seeds);
        (string memory did, uint8 major) = _record(seed, any);
        _read(abi.encodeCall(registry.hasAnyTraits, (did, major, _wanted(seed, wanted))));
    }

    function testFuzz_hasAllTraits(
        uint256[6] calldata seeds,
        uint256 seed,
        string calldata any,
        bytes32[] calldata wanted
    ) external {
        _live(seeds);
        (string memory did, uint8 major) = _record(seed, any);
        _read(abi.encodeCall(registry.hasAllTraits, (did, major, _wanted(seed, wanted))));
    }

    function testFuzz_getAppsByStatus(
        uint256[6] calldata seeds,
        uint256 status,
        uint256 cursor,
        uint256 limit
    ) external {
        _live(seeds);
        uint8 wanted = uint8(_small(status, 4));
        _read(abi.encodeCall(registry.getAppsByStatus, (wanted, _small(cursor, 9), _limit(limit))));
    }

    function testFuzz_getAppsByOwner(
        uint256[6] calldata seeds,
        uint256 owner,
        uint256 cursor,
        uint256 limit
    ) external {
        _live(seeds);
        _read(abi.encodeCall(registry.getAppsByOwner, (_account(owner), _small(cursor, 9), _limit(limit))));
    }

    function testFuzz_getAppsByInterface(
        uint256[6] calldata seeds,
        uint256 interfaces,
        bool matchAll,
        uint256 cursor,
        uint256 limit
    ) external {
        _live(seeds);
        uint16 wanted = uint16(_small(interfaces, 9));
        _read(
            abi.encodeCall(registry.getAppsByInterface, (wanted, matchAll, _small(cursor, 9), _limit(limit)))
        );
    }

    function testFuzz_countByStatus(uint256[6] calldata seeds, uint256 status) external {
        _live(seeds);
        _read(abi.encodeCall(registry.countByStatus, (uint8(_small(status, 4)))));
    }

    function testFuzz_getReclaim(
        uint256[6] calldata seeds,
        uint256 seed,
        string calldata any,
        uint256 claimant
    ) external {
        _live(seeds);
        (string memory did, uint8 major) = _record(seed, any);
        _read(abi.encodeCall(registry.getReclaim, (did, major, _account(claimant))));
    }

    function testFuzz_resolver(uint256[6] calldata seeds) external {
        _live(seeds);
        _read(abi.encodeCall(registry.resolver, ()));
    }

    function testFuzz_metadata(uint256[6] calldata seeds) external {
        _live(seeds);
        _read(abi.encodeCall(registry.metadata, ()));
    }

    function _record(
        uint256 seed,
        string calldata any
    ) private view returns (string memory did, uint8 major) {
        did = seed >> 253 == 0 ? any : _did(seed);
        major = (seed >> 8) % 8 == 0 ? uint8(seed >> 16) : uint8((seed >> 16) % 4);
    }

    function _wanted(uint256 seed, bytes32[] calldata any) private pure returns (bytes32[] memory) {
        return seed % 4 == 0 ? any : _traits(seed >> 2);
    }

    /// @dev Returns a token id that may exist for most seeds, else any number.
    function _id(uint256 seed) private pure returns (uint256) {
        return _small(seed, 9);
    }

    function _limit(uint256 seed) private pure returns (uint256) {
        return seed % 8 == 0 ? 99 + ((seed >> 3) % 3) : _small(seed >> 3, 4);
    }

    /// @dev Returns a number below `end` for most seeds, else any number.
    function _small(uint256 seed, uint256 end) private pure returns (uint256) {
        return seed % 8 < 7 ? (seed >> 3) % end : seed >> 3;
    }
}
