// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibString} from "solady/src/utils/LibString.sol";

import {MintInput, UpdateInput} from "../support/Structs.sol";
import {VM} from "../support/Vm.sol";
import {RegistryFuzz} from "./RegistryFuzz.sol";

/// @dev Compares each write of the registry with the plain twin, with parameters that fit together and with some of
/// them replaced by random ones.
contract RegistryWritesTest is RegistryFuzz {
    function testFuzz_mint(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 seed,
        uint256 replaced,
        MintInput calldata any
    ) external {
        _live(seeds);
        MintInput memory input = _mintInput(seed);
        if (_isIn(replaced, 0)) input.did = any.did;
        if (_isIn(replaced, 1)) input.interfaces = any.interfaces;
        if (_isIn(replaced, 2)) input.dataUrl = _text(any.dataUrl, replaced, 2048);
        if (_isIn(replaced, 3)) input.dataHash = any.dataHash;
        if (_isIn(replaced, 4)) input.dataHashAlgorithm = any.dataHashAlgorithm;
        if (_isIn(replaced, 5)) input.fungibleTokenId = _text(any.fungibleTokenId, replaced, 256);
        if (_isIn(replaced, 6)) input.contractId = _text(any.contractId, replaced, 256);
        if (_isIn(replaced, 7)) input.major = any.major;
        if (_isIn(replaced, 8)) (input.minor, input.patch) = (any.minor, any.patch);
        if (_isIn(replaced, 9)) input.traitHashes = _hashes(any.traitHashes, replaced);
        if (_isIn(replaced, 10)) input.metadataJson = any.metadataJson;
        if (_isIn(replaced, 11)) input.dataHash = 0;
        (bool ok, bytes memory answer) = _call(_account(caller), _encode(input));
        if (!ok) return;
        _read(abi.encodeCall(registry.getAppByTokenId, (abi.decode(answer, (uint256)))));
        _read(abi.encodeCall(registry.latestMajor, (keccak256(bytes(input.did)))));
    }

    function testFuzz_updateAppControlled(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 seed,
        uint256 replaced,
        UpdateInput calldata any
    ) external {
        _live(seeds);
        UpdateInput memory input = _updateInput(seed);
        if (_isIn(replaced, 0)) input.did = any.did;
        if (_isIn(replaced, 1)) input.interfaces = any.interfaces;
        if (_isIn(replaced, 2)) input.dataUrl = _text(any.dataUrl, replaced, 2048);
        if (_isIn(replaced, 3)) input.dataHash = any.dataHash;
        if (_isIn(replaced, 4)) input.dataHashAlgorithm = any.dataHashAlgorithm;
        if (_isIn(replaced, 5)) input.major = any.major;
        if (_isIn(replaced, 6)) (input.minor, input.patch) = (any.minor, any.patch);
        if (_isIn(replaced, 7)) input.traitHashes = _hashes(any.traitHashes, replaced);
        if (_isIn(replaced, 8)) input.metadataJson = any.metadataJson;
        if (_isIn(replaced, 9)) input.dataHash = 0;
        if (_isIn(replaced, 10)) (input.minor, input.patch) = (255, 255);
        address sender = caller % 4 == 0 ? _account(caller >> 2) : _holder(caller >> 2);
        _call(sender, _encode(input));
        _call(sender, _encode(input));
        _read(abi.encodeCall(registry.getApp, (input.did, input.major)));
    }

    function testFuzz_updateStatus(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 did,
        uint8 major,
        uint8 status
    ) external {
        _live(seeds);
        major = major % 8 < 7 ? 1 + (major % 2) : major;
        status = status % 8 < 7 ? status % 3 : status;
        _call(_account(caller), abi.encodeCall(registry.updateStatus, (_did(did), major, status)));
        _read(abi.encodeCall(registry.getAppSummary, (_did(did), major)));
    }

    function testFuzz_republishMetadata(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 did,
        uint8 major,
        uint256 seed,
        string calldata any
    ) external {
        _live(seeds);
        major = major % 8 < 7 ? 1 + (major % 2) : major;
        string memory json = string.concat('{"n":', LibString.toString(seed % 4), "}");
        if (seed % 16 == 4) json = any;
        if (seed % 16 == 5) json = LibString.repeat("a", 24_576);
        _call(_holder(caller), abi.encodeCall(registry.republishMetadata, (_did(did), major, json)));
    }

    function testFuzz_openReclaim(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 did,
        uint8 major
    ) external {
        _live(seeds);
        major = major % 8 < 7 ? 1 + (major % 2) : major;
        address claimant = _account(caller);
        _call(claimant, abi.encodeCall(registry.openReclaim, (_did(did), major)));
        _read(abi.encodeCall(registry.getReclaim, (_did(did), major, claimant)));
    }

    function testFuzz_dismissReclaims(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 did,
        uint8 major
    ) external {
        _live(seeds);
        major = major % 8 < 7 ? 1 + (major % 2) : major;
        _call(_account(caller), abi.encodeCall(registry.dismissReclaims, (_did(did), major)));
        for (uint256 i = 0; i < 4; ++i) {
            _read(abi.encodeCall(registry.getReclaim, (_did(did), major, _account(i))));
        }
    }

    function testFuzz_finishReclaim(
        uint256[6] calldata seeds,
        uint256 caller,
        uint256 did,
        uint8 major
    ) external {
        _live(seeds);
        major = major % 8 < 7 ? 1 + (major % 2) : major;
        _call(_account(caller), abi.encodeCall(registry.finishReclaim, (_did(did), major)));
        _read(abi.encodeCall(registry.getAppSummary, (_did(did), major)));
    }

    /// @dev Publishes versions that are often lower than the current one or already in the history.
    function testFuzz_updateAfterReclaim(uint256[6] calldata seeds, uint8[12] calldata versions) external {
        _live(seeds);
        _lose(dids[0], _account(0), _account(1));
        _call(_account(1), abi.encodeCall(registry.openReclaim, (dids[0], 1)));
        VM.warp(block.timestamp + 30 days);
        (bool isFinished, ) = _call(_account(1), abi.encodeCall(registry.finishReclaim, (dids[0], 1)));
        // A third account that holds the token may have gained control since the opening, and contest the reclaim.
        if (!isFinished) return;
        for (uint256 i = 0; i < versions.length; ++i) {
            UpdateInput memory input = _updateInput(versions[i]);
            (input.did, input.major, input.interfaces) = (dids[0], 1, 0);
            (input.minor, input.patch) = ((versions[i] >> 4) % 3, versions[i] % 4);
            _call(_account(1), _encode(input));
            _read(abi.encodeCall(registry.versionOrder, (dids[0], 1)));
        }
        _read(abi.encodeCall(registry.getApp, (dids[0], 1)));
    }

    /// @dev Returns true if the parameter is replaced, which is one in eight.
    function _isIn(uint256 replaced, uint256 parameter) private pure returns (bool) {
        return (replaced >> (3 * parameter)) & 7 == 0;
    }

    /// @dev Returns any text, or one whose length is close to the limit.
    function _text(string calldata any, uint256 seed, uint256 max) private pure returns (string memory) {
        if (seed >> 255 == 0) return any;
        return LibString.repeat("u", max - 1 + ((seed >> 250) % 3));
    }

    /// @dev Returns any hashes, or a number of hashes close to the limit, some of them with a duplicate or a zero.
    function _hashes(bytes32[] calldata any, uint256 seed) private pure returns (bytes32[] memory hashes) {
        if (seed >> 255 == 0) return any;
        hashes = new bytes32[](19 + ((seed >> 250) % 4));
        for (uint256 i = 0; i < hashes.length; ++i) hashes[i] = keccak256(abi.encode(i));
        if ((seed >> 245) % 4 == 0) hashes[(seed >> 240) % 19] = hashes[(seed >> 235) % 19];
        if ((seed >> 245) % 4 == 1) hashes[(seed >> 240) % 19] = 0;
    }
}
