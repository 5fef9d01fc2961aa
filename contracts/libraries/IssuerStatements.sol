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
        return
            keccak256(
                abi.encode(
                    _ATTEST_DID,
                    attestation.didHash,
                    attestation.controller,
                    attestation.expiresAt,
                    signature.issuer,
                    signature.epoch,
                    signature.issuedAt,
                    signature.deadline,
                    signature.nonce
                )
            );
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
        return
            keccak256(
                abi.encode(
                    _ATTEST_DATA_HASH,
                    attestation.didHash,
                    attestation.dataHash,
                    attestation.expiresAt,
                    signature.issuer,
                    signature.epoch,
                    signature.issuedAt,
                    signature.deadline,
                    signature.nonce
                )
            );
    }

    /// @notice Struct hash of `RevokeDataHash`.
    function revokeDataHash(
        bytes32 didHash,
        bytes32 dataHash,
        IResolver.IssuerSignature calldata signature
    ) internal pure returns (bytes32) {
        return _revocation(_REVOKE_DATA_HASH, didHash, dataHash, signature);
    }

    function _revocation(
        bytes32 typeHash,
        bytes32 didHash,
        bytes32 subject,
        IResolver.IssuerSignature calldata signature
    ) private pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    typeHash,
                    didHash,
                    subject,
                    signature.issuer,
                    signature.epoch,
                    signature.issuedAt,
                    signature.deadline,
                    signature.nonce
                )
            );
    }
}
