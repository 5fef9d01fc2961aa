// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {VM} from "../support/Vm.sol";
import {ResolverFuzz} from "./ResolverFuzz.sol";

/// @dev What issuers write directly, one by one and in batches, and what is read of it, against the plain twin.
contract ResolverAttestationsTest is ResolverFuzz {
    struct Item {
        uint256 did;
        uint256 subject;
        uint256 expiresAt;
    }

    function testFuzz_attestDID(
        uint256[8] calldata seeds,
        uint256 caller,
        uint256 did,
        uint256 controller,
        uint256 expiresAt
    ) external {
        _live(seeds);
        (bytes32 didHash, address account) = (_didHash(did), _account(controller));
        _call(_account(caller), abi.encodeCall(IResolver.attestDID, (didHash, account, _time(expiresAt))));
        _read(abi.encodeCall(IResolver.getDIDAttestations, (didHash, account)));
    }

    function testFuzz_revokeDID(
        uint256[8] calldata seeds,
        uint256 caller,
        uint256 did,
        uint256 controller
    ) external {
        _live(seeds);
        (bytes32 didHash, address account) = (_didHash(did), _account(controller));
        _call(_account(caller), abi.encodeCall(IResolver.revokeDID, (didHash, account)));
        _read(abi.encodeCall(IResolver.getDIDAttestations, (didHash, account)));
    }

    function testFuzz_attestDataHash(
        uint256[8] calldata seeds,
        uint256 caller,
        uint256 did,
        uint256 dataHash,
        uint256 expiresAt
    ) external {
        _liveByDataHash(seeds);
        (bytes32 didHash, bytes32 hash) = (_didHash(did), _dataHash(dataHash));
        _call(_account(caller), abi.encodeCall(IResolver.attestDataHash, (didHash, hash, _time(expiresAt))));
        _read(abi.encodeCall(IResolver.getDataHashAttestations, (didHash, hash)));
    }

    function testFuzz_revokeDataHash(
        uint256[8] calldata seeds,
        uint256 caller,
        uint256 did,
        uint256 dataHash
    ) external {
        _liveByDataHash(seeds);
        (bytes32 didHash, bytes32 hash) = (_didHash(did), _dataHash(dataHash));
        _call(_account(caller), abi.encodeCall(IResolver.revokeDataHash, (didHash, hash)));
        _read(abi.encodeCall(IResolver.getDataHashAttestations, (didHash, hash)));
    }

    function testFuzz_attestDIDBatch(
        uint256[8] calldata seeds,
        uint256 caller,
        Item[3] calldata items,
        uint256 count
    ) external {
        _live(seeds);
        IResolver.DIDAttestation[] memory batch = _didBatch(items, count % 4);
        _call(_account(caller), abi.encodeCall(IResolver.attestDIDBatch, (batch)));
    }

    function testFuzz_revokeDIDBatch(
        uint256[8] calldata seeds,
        uint256 caller,
        Item[3] calldata items,
        uint256 count
    ) external {
        _live(seeds);
        IResolver.DIDAttestation[] memory batch = _didBatch(items, count % 4);
        _call(_account(caller), abi.encodeCall(IResolver.revokeDIDBatch, (batch)));
    }

    function testFuzz_attestDataHashBatch(
        uint256[8] calldata seeds,
        uint256 caller,
        Item[3] calldata items,
        uint256 count
    ) external {
        _liveByDataHash(seeds);
        IResolver.DataHashAttestation[] memory batch = _dataHashBatch(items, count % 4);
        _call(_account(caller), abi.encodeCall(IResolver.attestDataHashBatch, (batch)));
    }

    function testFuzz_revokeDataHashBatch(
        uint256[8] calldata seeds,
        uint256 caller,
        Item[3] calldata items,
        uint256 count
    ) external {
        _liveByDataHash(seeds);
        IResolver.DataHashAttestation[] memory batch = _dataHashBatch(items, count % 4);
        _call(_account(caller), abi.encodeCall(IResolver.revokeDataHashBatch, (batch)));
    }

    function testFuzz_getDIDAttestations(uint256[8] calldata seeds, uint256 did, uint256 account) external {
        _live(seeds);
        _read(abi.encodeCall(IResolver.getDIDAttestations, (_didHash(did), _account(account))));
    }

    function testFuzz_getDataHashAttestations(
        uint256[8] calldata seeds,
        uint256 did,
        uint256 dataHash
    ) external {
        _liveByDataHash(seeds);
        _read(abi.encodeCall(IResolver.getDataHashAttestations, (_didHash(did), _dataHash(dataHash))));
    }

    function testFuzz_checkDataHashAttestation(
        uint256[8] calldata seeds,
        uint256 did,
        uint256 dataHash
    ) external {
        _liveByDataHash(seeds);
        _read(abi.encodeCall(IResolver.checkDataHashAttestation, (_didHash(did), _dataHash(dataHash))));
    }

    /// @dev As `_live`, with what issuers say of documents.
    function _liveByDataHash(uint256[8] calldata seeds) private {
        for (uint256 i = 0; i < seeds.length; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(seeds[i], i)));
            (bytes32 didHash, bytes32 dataHash) = (_didHash(_pick(seed, 0)), _dataHash(_pick(seed, 1)));
            address issuer = _account(1 + (_pick(seed, 2) % 2));
            uint64 expiresAt = _pick(seed, 3) < 128 ? 0 : uint64(block.timestamp + 1 + _pick(seed, 4));
            if (seed >> 253 == 0) _call(_account(OWNER), abi.encodeCall(IResolver.removeIssuer, (issuer)));
            if (seed >> 253 < 2) _call(_account(OWNER), abi.encodeCall(IResolver.addIssuer, (issuer)));
            if (seed >> 253 < 6) {
                _call(issuer, abi.encodeCall(IResolver.attestDataHash, (didHash, dataHash, expiresAt)));
            } else _call(issuer, abi.encodeCall(IResolver.revokeDataHash, (didHash, dataHash)));
            VM.warp(block.timestamp + _elapse(_pick(seed, 5)));
        }
    }

    function _didBatch(
        Item[3] calldata items,
        uint256 count
    ) private view returns (IResolver.DIDAttestation[] memory batch) {
        batch = new IResolver.DIDAttestation[](count);
        for (uint256 i = 0; i < count; ++i) {
            batch[i] = IResolver.DIDAttestation(
                _didHash(items[i].did),
                _account(items[i].subject),
                _time(items[i].expiresAt)
            );
        }
    }

    function _dataHashBatch(
        Item[3] calldata items,
        uint256 count
    ) private view returns (IResolver.DataHashAttestation[] memory batch) {
        batch = new IResolver.DataHashAttestation[](count);
        for (uint256 i = 0; i < count; ++i) {
            batch[i] = IResolver.DataHashAttestation(
                _didHash(items[i].did),
                _dataHash(items[i].subject),
                _time(items[i].expiresAt)
            );
        }
    }
}
