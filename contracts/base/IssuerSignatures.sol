// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {EIP7702Utils} from "@openzeppelin/contracts/account/utils/EIP7702Utils.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {EIP712} from "solady/src/utils/EIP712.sol";

import {IResolver} from "../interfaces/IResolver.sol";
import {Statement} from "../libraries/Statement.sol";

/// @title Signatures of issuers (EIP-712)
/// @notice Checks the dates and the signature of a statement. There are no nonces: the inheriting contract checks that
/// the issuer may make the statement and that no newer statement replaced it.
abstract contract IssuerSignatures is IResolver, EIP712 {
    /// @dev Longest time from `statedAt` to `deadline`, in seconds.
    uint256 private constant _WINDOW = 1 days;
    bytes32 private constant _ATTEST_DID_TYPE = keccak256(
        "AttestDID(bytes32 didHash,address controller,uint64 expiresAt,address issuer,uint64 statedAt,uint64 deadline)"
    );
    bytes32 private constant _REVOKE_DID_TYPE = keccak256(
        "RevokeDID(bytes32 didHash,address controller,address issuer,uint64 statedAt,uint64 deadline)"
    );
    bytes32 private constant _ATTEST_DATA_HASH_TYPE = keccak256(
        "AttestDataHash(bytes32 didHash,bytes32 dataHash,uint64 expiresAt,address issuer,uint64 statedAt,uint64 deadline)"
    );
    bytes32 private constant _REVOKE_DATA_HASH_TYPE = keccak256(
        "RevokeDataHash(bytes32 didHash,bytes32 dataHash,address issuer,uint64 statedAt,uint64 deadline)"
    );

    /// @dev Reverts unless `by` is its issuer's signature of a statement, made no earlier than the issuer was added.
    /// @param addedAt Time at which the issuer was added. The caller must have checked that the issuer was added.
    function _verify(Statement memory what, IssuerSignature calldata by, uint64 addedAt) internal view {
        uint64 timestamp = uint64(block.timestamp);
        (uint64 statedAt, uint64 deadline) = (by.statedAt, by.deadline);
        if (statedAt > timestamp || statedAt < addedAt) revert InvalidStatedAt(statedAt, addedAt, timestamp);
        if (deadline < statedAt || deadline - statedAt > _WINDOW) revert InvalidDeadline(statedAt, deadline);
        if (timestamp > deadline) revert SignatureExpired(deadline, timestamp);
        bytes32 digest = _hashTypedData(_hash(what, by));
        // Try ECDSA first: the common case then doesn't access the issuer's account, and an EOA that delegates to code
        // (EIP-7702) signs with its key. For a malformed or malleable signature, the signer is 0, which can't be an
        // issuer.
        (address signer, , ) = ECDSA.tryRecoverCalldata(digest, by.signature);
        if (signer == by.issuer) return;
        // The code that an EOA delegates to must not sign for it: its key can replace this code at any time.
        if (EIP7702Utils.fetchDelegate(by.issuer) != address(0)) revert InvalidSignature(by.issuer);
        bool isValid = SignatureChecker.isValidERC1271SignatureNowCalldata(by.issuer, digest, by.signature);
        if (!isValid) revert InvalidSignature(by.issuer);
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("App Registry Resolver", "1");
    }

    /// @dev Returns the struct hash of a statement. EIP-712 encodes a controller and a dataHash alike, as one word.
    function _hash(Statement memory what, IssuerSignature calldata by) private pure returns (bytes32) {
        (bytes32 didHash, bytes32 subject) = (what.didHash, what.subject);
        bytes32 typeHash = what.isController ? _REVOKE_DID_TYPE : _REVOKE_DATA_HASH_TYPE;
        bytes memory encoded = abi.encode(typeHash, didHash, subject, by.issuer, by.statedAt, by.deadline);
        if (what.isRevocation) return keccak256(encoded);
        typeHash = what.isController ? _ATTEST_DID_TYPE : _ATTEST_DATA_HASH_TYPE;
        encoded = abi.encode(typeHash, didHash, subject, what.expiresAt, by.issuer, by.statedAt, by.deadline);
        return keccak256(encoded);
    }
}
