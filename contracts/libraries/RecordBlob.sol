// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SSTORE2} from "solady/src/utils/SSTORE2.sol";

/// @title Record blob
/// @notice Stores the strings, trait hashes and minter of a record as contract code (SSTORE2). That costs a third of
/// storage slots, and one account access reads them all. A blob never changes: an update of dataUrl or traitHashes
/// writes a new one.
/// @dev
///     +--------+---------------------------------------------+-----+---------+------------+-----------------+--------+
///     | minter |           lengths, in bytes                 | did | dataUrl | contractId | fungibleTokenId | traits |
///     |   20   | did 1, dataUrl 2, contractId 2, fungible… 2 |     |         |            |                 |  32 n  |
///     +--------+---------------------------------------------+-----+---------+------------+-----------------+--------+
library RecordBlob {
    /// @notice Content of a blob.
    struct Content {
        address minter;
        string did;
        string dataUrl;
        string contractId;
        string fungibleTokenId;
        bytes32[] traitHashes;
    }

    uint256 private constant _HEADER_SIZE = 27;

    /// @notice Writes a blob. `did` must have at most 255 bytes, and each other string at most 65,535.
    /// @return pointer Contract whose code is a zero byte followed by the blob.
    function write(Content memory content) internal returns (address pointer) {
        return
            SSTORE2.write(
                abi.encodePacked(
                    content.minter,
                    uint8(bytes(content.did).length),
                    uint16(bytes(content.dataUrl).length),
                    uint16(bytes(content.contractId).length),
                    uint16(bytes(content.fungibleTokenId).length),
                    content.did,
                    content.dataUrl,
                    content.contractId,
                    content.fungibleTokenId,
                    content.traitHashes
                )
            );
    }

    /// @notice Reads a whole blob.
    function read(address pointer) internal view returns (Content memory content) {
        unchecked {
            bytes memory blob = SSTORE2.read(pointer);
            uint256 header = uint216(bytes27(blob));
            uint256 didEnd = _HEADER_SIZE + uint8(header >> 48);
            uint256 dataUrlEnd = didEnd + uint16(header >> 32);
            uint256 contractIdEnd = dataUrlEnd + uint16(header >> 16);
            uint256 fungibleTokenIdEnd = contractIdEnd + uint16(header);
            content.minter = address(uint160(header >> 56));
            content.did = string(_slice(blob, _HEADER_SIZE, didEnd));
            content.dataUrl = string(_slice(blob, didEnd, dataUrlEnd));
            content.contractId = string(_slice(blob, dataUrlEnd, contractIdEnd));
            content.fungibleTokenId = string(_slice(blob, contractIdEnd, fungibleTokenIdEnd));
            content.traitHashes = _words(blob, fungibleTokenIdEnd);
        }
    }

    /// @notice Reads the minter only.
    function readMinter(address pointer) internal view returns (address) {
        return address(bytes20(SSTORE2.read(pointer, 0, 20)));
    }

    /// @dev Copies a part of a blob at once. Plain Solidity would copy it byte by byte.
    function _slice(bytes memory blob, uint256 start, uint256 end) private pure returns (bytes memory part) {
        if (start == end) return part;
        assembly ("memory-safe") {
            let length := sub(end, start)
            part := mload(0x40)
            mstore(part, length)
            mcopy(add(part, 0x20), add(add(blob, 0x20), start), length)
            mstore(0x40, and(add(add(part, length), 0x3f), not(0x1f)))
        }
    }

    /// @dev Copies the words from a position to the end. Bytes and words have the same memory layout; only the unit of
    /// the length differs.
    function _words(bytes memory blob, uint256 start) private pure returns (bytes32[] memory words) {
        bytes memory part = _slice(blob, start, blob.length);
        assembly ("memory-safe") {
            mstore(part, shr(5, mload(part)))
            words := part
        }
    }
}
