// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// Parameters of calls and events with many of them are structs here, because the compiler's stack is limited. The
// encoding of a struct is that of its members as parameters with one word in front.

/// @dev Converts an encoded struct to the encoding of its members as parameters.
function toParameters(bytes memory encodedStruct) pure returns (bytes memory parameters) {
    assembly ("memory-safe") {
        parameters := add(encodedStruct, 32)
        mstore(parameters, sub(mload(encodedStruct), 32))
    }
}

/// @dev Converts the encoding of parameters to that of a struct of them.
function toStruct(bytes calldata parameters) pure returns (bytes memory encodedStruct) {
    return bytes.concat(bytes32(uint256(32)), parameters);
}

/// @dev Parameters of `mint`, in order.
struct MintInput {
    string did;
    uint16 interfaces;
    string dataUrl;
    bytes32 dataHash;
    uint8 dataHashAlgorithm;
    string fungibleTokenId;
    string contractId;
    uint8 major;
    uint8 minor;
    uint8 patch;
    bytes32[] traitHashes;
    string metadataJson;
}

/// @dev Parameters of `updateAppControlled`, in order.
struct UpdateInput {
    string did;
    uint8 major;
    string dataUrl;
    bytes32 dataHash;
    uint8 dataHashAlgorithm;
    uint16 interfaces;
    bytes32[] traitHashes;
    uint8 minor;
    uint8 patch;
    string metadataJson;
}
