// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {VM} from "../support/Vm.sol";
import {ResolverFuzz} from "./ResolverFuzz.sol";

/// @dev Issuers' signatures, right and wrong in each part, against the plain twin.
contract ResolverSignaturesTest is ResolverFuzz {
    /// @dev What decides how a signature is made.
    struct Making {
        uint256 caller;
        uint256 issuer;
        uint256 epoch;
        uint256 issuedAt;
        uint256 deadline;
        uint256 nonce;
        uint256 fault;
        bytes noise;
    }

    struct Statement {
        uint256 did;
        uint256 subject;
        uint256 expiresAt;
    }

    function testFuzz_attestDIDBySignature(
        uint256[8] calldata seeds,
        Making calldata making,
        Statement calldata statement
    ) external {
        _live(seeds);
        (bytes32 didHash, address controller) = (_didHash(statement.did), _account(statement.subject));
        uint64 expiresAt = _time(statement.expiresAt);
        bytes32 typeHash = keccak256(
            "AttestDID(bytes32 didHash,address controller,uint64 expiresAt,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
        );
        IResolver.IssuerSignature memory signature = _make(
            making,
            abi.encode(typeHash, didHash, controller, expiresAt)
        );
        IResolver.DIDAttestation memory item = IResolver.DIDAttestation(didHash, controller, expiresAt);
        _carry(making.caller, abi.encodeCall(IResolver.attestDIDBySignature, (item, signature)));
    }

    function testFuzz_revokeDIDBySignature(
        uint256[8] calldata seeds,
        Making calldata making,
        Statement calldata statement
    ) external {
        _live(seeds);
        (bytes32 didHash, address controller) = (_didHash(statement.did), _account(statement.subject));
        bytes32 typeHash = keccak256(
            "RevokeDID(bytes32 didHash,address controller,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
        );
        IResolver.IssuerSignature memory signature = _make(making, abi.encode(typeHash, didHash, controller));
        _carry(
            making.caller,
            abi.encodeCall(IResolver.revokeDIDBySignature, (didHash, controller, signature))
        );
    }

    function testFuzz_attestDataHashBySignature(
        uint256[8] calldata seeds,
        Making calldata making,
        Statement calldata statement
    ) external {
        _live(seeds);
        (bytes32 didHash, bytes32 dataHash) = (_didHash(statement.did), _dataHash(statement.subject));
        _revokeBefore(making, didHash, dataHash);
        uint64 expiresAt = _time(statement.expiresAt);
        bytes32 typeHash = keccak256(
            "AttestDataHash(bytes32 didHash,bytes32 dataHash,uint64 expiresAt,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
        );
        IResolver.IssuerSignature memory signature = _make(
            making,
            abi.encode(typeHash, didHash, dataHash, expiresAt)
        );
        IResolver.DataHashAttestation memory item = IResolver.DataHashAttestation(
            didHash,
            dataHash,
            expiresAt
        );
        _carry(making.caller, abi.encodeCall(IResolver.attestDataHashBySignature, (item, signature)));
    }

    function testFuzz_revokeDataHashBySignature(
        uint256[8] calldata seeds,
        Making calldata making,
        Statement calldata statement
    ) external {
        _live(seeds);
        (bytes32 didHash, bytes32 dataHash) = (_didHash(statement.did), _dataHash(statement.subject));
        _revokeBefore(making, didHash, dataHash);
        bytes32 typeHash = keccak256(
            "RevokeDataHash(bytes32 didHash,bytes32 dataHash,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
        );
        IResolver.IssuerSignature memory signature = _make(making, abi.encode(typeHash, didHash, dataHash));
        _carry(
            making.caller,
            abi.encodeCall(IResolver.revokeDataHashBySignature, (didHash, dataHash, signature))
        );
    }

    function testFuzz_cancelNonce(uint256 caller, uint256[4] calldata nonces) external {
        for (uint256 i = 0; i < nonces.length; ++i) {
            uint256 nonce = nonces[i] % 2 == 0 ? (nonces[i] >> 1) % 3 : nonces[i];
            _call(_account(caller), abi.encodeCall(IResolver.cancelNonce, (nonce)));
        }
    }

    function testFuzz_isNonceUsed(uint256 issuer, uint256 used, uint256 nonce) external {
        _call(_account(issuer), abi.encodeCall(IResolver.cancelNonce, (used)));
        uint256[3] memory asked = [used, nonce, used ^ (1 << (nonce % 256))];
        for (uint256 i = 0; i < asked.length; ++i) {
            _read(abi.encodeCall(IResolver.isNonceUsed, (_account(issuer), asked[i])));
            _read(abi.encodeCall(IResolver.isNonceUsed, (_account(issuer >> 4), asked[i])));
        }
    }

    function testFuzz_eip712Domain(uint256[8] calldata seeds) external {
        _live(seeds);
        _read(abi.encodeCall(IERC5267.eip712Domain, ()));
    }

    /// @dev Carries it once, and once more when the nonce should be used up.
    function _carry(uint256 caller, bytes memory data) private {
        _call(_account(caller), data);
        _call(_account(caller >> 128), data);
    }

    function _revokeBefore(Making calldata making, bytes32 didHash, bytes32 dataHash) private {
        address issuer = _account(_issuer(making));
        if (making.nonce & 16 == 0) {
            _call(issuer, abi.encodeCall(IResolver.attestDataHash, (didHash, dataHash, 0)));
        }
        if (making.nonce & 96 == 0) {
            _call(issuer, abi.encodeCall(IResolver.revokeDataHash, (didHash, dataHash)));
        }
        VM.warp(block.timestamp + ((making.nonce >> 7) % 4));
    }

    function _make(
        Making calldata making,
        bytes memory statement
    ) private view returns (IResolver.IssuerSignature memory signature) {
        uint256 issuer = _issuer(making);
        uint64 issuedAt = uint64(block.timestamp - ((making.issuedAt >> 4) % 3));
        if (making.issuedAt % 16 == 0) issuedAt = uint64(making.issuedAt >> 4);
        if (making.issuedAt % 16 == 1) issuedAt = uint64(block.timestamp + 1);
        if (making.issuedAt % 16 == 2) issuedAt = uint64(block.timestamp - 1 days - 1);
        uint64 deadline = uint64(making.deadline >> 3);
        unchecked {
            if (making.deadline % 8 > 1) deadline = issuedAt + (deadline % 1 days);
            if (making.deadline % 8 == 1) deadline = issuedAt + 1 days + (deadline % 2);
        }
        uint32 epoch = IResolver(resolver).issuerEpoch(_account(issuer));
        if (making.epoch % 8 == 0) epoch = uint32(making.epoch >> 3);
        signature = IResolver.IssuerSignature(
            _account(issuer),
            epoch,
            issuedAt,
            deadline,
            making.nonce % 8 == 0 ? making.nonce : 0,
            ""
        );
        signature.signature = _sign(making, issuer, resolverTwin.digestOf(statement, signature));
    }

    function _issuer(Making calldata making) private pure returns (uint256) {
        return
            making.issuer % 8 == 0 ? (making.issuer >> 3) % ACCOUNTS : 1 + ((making.issuer >> 3) % ISSUERS);
    }

    /// @dev Genuine for half of the faults; else by another key, of other bytes, or in another form.
    function _sign(
        Making calldata making,
        uint256 issuer,
        bytes32 digest
    ) private pure returns (bytes memory) {
        uint256 fault = making.fault % 16;
        if (fault == 0) return making.noise;
        uint256 key = _keyOf(fault == 1 ? (making.fault >> 4) % ACCOUNTS : issuer);
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, fault == 2 ? keccak256(making.noise) : digest);
        if (fault == 3) return abi.encodePacked(r, s, v, making.noise);
        if (fault == 4) return abi.encodePacked(r, s, v ^ 1);
        // The same signature in its second form, with the other s.
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        if (fault == 5) return abi.encodePacked(r, order - uint256(s), v == 27 ? uint8(28) : 27);
        if (fault == 6) return abi.encodePacked(r, s, v - 27);
        if (fault == 7) return abi.encodePacked(r, bytes32(uint256(s) | (uint256(v - 27) << 255)));
        return abi.encodePacked(r, s, v);
    }
}
