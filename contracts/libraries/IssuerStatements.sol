// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";

/// @title Struct hashes of what an issuer signs (EIP-712)
library IssuerStatements {
    bytes32 private constant _ATTEST_DID = keccak256(
        "AttestDID(bytes32 didHash,address controller,uint64 expiresAt,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
    );
    bytes32 private constant _REVOKE_DID = keccak256(
        "RevokeDID(bytes32 didHash,address controller,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
    );
    bytes32 private constant _ATTEST_DATA_HASH = keccak256(
        "AttestDataHash(bytes32 didHash,bytes32 dataHash,uint64 expiresAt,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
    );
    bytes32 private constant _REVOKE_DATA_HASH = keccak256(
        "RevokeDataHash(bytes32 didHash,bytes32 dataHash,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
    );

    /// @notice Struct hash of `AttestDID`.
    function attestDID(
        IResolver.DIDAttestation calldata attestation,
        IResolver.IssuerSignature calldata signature
    ) internal pure returns (bytes32) {
        bytes32 controller = bytes32(uint256(uint160(attestation.controller)));
        return _attestation(_ATTEST_DID, attestation.didHash, controller, attestation.expiresAt, signature);
    }

    /// @notice Struct hash of `RevokeDID`.
    function revokeDID(
        bytes32 didHash,
        address controller,
        IResolver.IssuerSignature calldata signature
    ) internal pure returns (bytes32) {
        return _revocation(_REVOKE_DID, didHash, bytes32(uint256(uint160(controller))), signature);
    }

    /// @notice Struct hash of `AttestDataHash`.
    function attestDataHash(
        IResolver.DataHashAttestation calldata attestation,
        IResolver.IssuerSignature calldata signature
    ) internal pure returns (bytes32) {
        (bytes32 didHash, bytes32 dataHash) = (attestation.didHash, attestation.dataHash);
        return _attestation(_ATTEST_DATA_HASH, didHash, dataHash, attestation.expiresAt, signature);
    }

    /// @notice Struct hash of `RevokeDataHash`.
    function revokeDataHash(
        bytes32 didHash,
        bytes32 dataHash,
        IResolver.IssuerSignature calldata signature
    ) internal pure returns (bytes32) {
        return _revocation(_REVOKE_DATA_HASH, didHash, dataHash, signature);
    }

    function _attestation(
        bytes32 typeHash,
        bytes32 didHash,
        bytes32 subject,
        uint64 expiresAt,
        IResolver.IssuerSignature calldata signature
    ) private pure returns (bytes32) {
        return keccak256(bytes.concat(abi.encode(typeHash, didHash, subject, expiresAt), _common(signature)));
    }

    function _revocation(
        bytes32 typeHash,
        bytes32 didHash,
        bytes32 subject,
        IResolver.IssuerSignature calldata signature
    ) private pure returns (bytes32) {
        return keccak256(bytes.concat(abi.encode(typeHash, didHash, subject), _common(signature)));
    }

    /// @dev The members that every statement ends with.
    function _common(IResolver.IssuerSignature calldata signature) private pure returns (bytes memory) {
        return
            abi.encode(
                signature.issuer,
                signature.epoch,
                signature.issuedAt,
                signature.deadline,
                signature.nonce
            );
    }
}
