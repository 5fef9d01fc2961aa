// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Hash of a metadata JSON
/// @notice Implements the hash algorithms of a record: 0 keccak256, 1 sha256.
library DocumentHash {
    uint8 internal constant SHA256 = 1;

    function isAlgorithm(uint8 algorithm) internal pure returns (bool) {
        return algorithm <= SHA256;
    }

    /// @notice Returns the hash of `document`. Any algorithm but 1 means keccak256.
    function hash(bytes memory document, uint8 algorithm) internal pure returns (bytes32) {
        return algorithm == SHA256 ? sha256(document) : keccak256(document);
    }
}
