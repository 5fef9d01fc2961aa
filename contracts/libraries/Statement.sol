// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";

/// @notice What an issuer may state about a DID and a subject, which is one word: a controller or a dataHash.
///
/// | bit    | when 0           | when 1          |
/// |--------|------------------|-----------------|
/// | 0      | an attestation   | a revocation    |
/// | 1      | of a controller  | of a dataHash   |
type Statement is uint256;

using StatementLibrary for Statement global;

/// @title Statements of issuers, and how they are signed (EIP-712)
library StatementLibrary {
    Statement internal constant ATTEST_DID = Statement.wrap(0);
    Statement internal constant REVOKE_DID = Statement.wrap(1);
    Statement internal constant ATTEST_DATA_HASH = Statement.wrap(2);
    Statement internal constant REVOKE_DATA_HASH = Statement.wrap(3);

    bytes32 private constant _ATTEST_DID_TYPE = keccak256(
        "AttestDID(bytes32 didHash,address controller,uint64 expiresAt,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
    );
    bytes32 private constant _REVOKE_DID_TYPE = keccak256(
        "RevokeDID(bytes32 didHash,address controller,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
    );
    bytes32 private constant _ATTEST_DATA_HASH_TYPE = keccak256(
        "AttestDataHash(bytes32 didHash,bytes32 dataHash,uint64 expiresAt,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
    );
    bytes32 private constant _REVOKE_DATA_HASH_TYPE = keccak256(
        "RevokeDataHash(bytes32 didHash,bytes32 dataHash,address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)"
    );

    function isRevocation(Statement self) internal pure returns (bool) {
        return Statement.unwrap(self) & 1 != 0;
    }

    function isOfDataHash(Statement self) internal pure returns (bool) {
        return Statement.unwrap(self) & 2 != 0;
    }

    /// @notice Struct hash of a statement (EIP-712, `hashStruct`).
    /// @dev The words that are hashed:
    ///
    ///     +----------+---------+---------+-----------+--------+-------+----------+----------+-------+
    ///     | typeHash | didHash | subject | expiresAt | issuer | epoch | issuedAt | deadline | nonce |
    ///     +----------+---------+---------+-----------+--------+-------+----------+----------+-------+
    ///
    /// A revocation has no `expiresAt`. The last five are the head of `signature`, as it lies in calldata; words out
    /// of the range of their types are refused where they are read.
    function structHash(
        Statement self,
        bytes32 didHash,
        bytes32 subject,
        uint256 expiresAt,
        IResolver.IssuerSignature calldata signature
    ) internal pure returns (bytes32 hash) {
        bytes32 typeHash = _typeHash(self);
        bool isShort = isRevocation(self);
        assembly ("memory-safe") {
            let words := mload(0x40)
            mstore(words, typeHash)
            mstore(add(words, 0x20), didHash)
            mstore(add(words, 0x40), subject)
            mstore(add(words, 0x60), expiresAt)
            let common := add(words, sub(0x80, shl(5, isShort)))
            calldatacopy(common, signature, 0xa0)
            hash := keccak256(words, sub(add(common, 0xa0), words))
        }
    }

    function _typeHash(Statement self) private pure returns (bytes32) {
        if (isOfDataHash(self)) return isRevocation(self) ? _REVOKE_DATA_HASH_TYPE : _ATTEST_DATA_HASH_TYPE;
        return isRevocation(self) ? _REVOKE_DID_TYPE : _ATTEST_DID_TYPE;
    }
}
