// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Hash of a metadata JSON
/// @notice The hash algorithms that a record may name: 0 keccak256, 1 sha256.
library DocumentHash {
    uint8 internal constant SHA256 = 1;

    function isAlgorithm(uint8 algorithm) internal pure returns (bool) {
        return algorithm <= SHA256;
    }

    /// @notice The hash of `document` under a known algorithm.
    function hash(bytes memory document, uint8 algorithm) internal pure returns (bytes32) {
        return algorithm == SHA256 ? sha256(document) : keccak256(document);
    }
}
