// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Attestation or revocation of one pair of DID and controller, or DID and dataHash.
struct Statement {
    bool isRevocation;
    /// @dev True if the subject is a controller's address, as a word; false if it is a dataHash.
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
    /// @dev True in a batch, which skips an entry that would revert because of other statements.
    bool isBatch;
}
