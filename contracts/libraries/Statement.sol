// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice An attestation or revocation of one pair.
struct Statement {
    bool isRevocation;
    /// @dev The subject is a controller's address, as a word, rather than a dataHash.
    bool isController;
    bytes32 didHash;
    bytes32 subject;
    /// @dev 0 for the maximum lifetime.
    uint64 expiresAt;
}

/// @notice Issuer, date and form of a statement.
struct Source {
    address issuer;
    uint16 number;
    uint64 addedAt;
    uint64 statedAt;
    bool isSigned;
    /// @dev A batch skips an entry that would revert because of other statements.
    bool isBatch;
}
