// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SSTORE2} from "solady/src/utils/SSTORE2.sol";

/// @title Record blob
/// @notice The strings, trait hashes and minter of a record, kept as the code of a contract (SSTORE2): a third of
/// the price of storage slots, and one account access reads them all. A blob never changes; an update that changes
/// dataUrl or traitHashes writes a new one.
/// @dev
///     +--------+---------------------------------------------+-----+---------+------------+-----------------+--------+
///     | minter |           lengths, in bytes                 | did | dataUrl | contractId | fungibleTokenId | traits |
///     |   20   | did 1, dataUrl 2, contractId 2, fungible… 2 |     |         |            |                 |  32 n  |
///     +--------+---------------------------------------------+-----+---------+------------+-----------------+--------+
library RecordBlob {
    /// @notice What a blob holds.
    struct Content {
        address minter;
        string did;
        string dataUrl;
        string contractId;
        string fungibleTokenId;
        bytes32[] traitHashes;
    }

    uint256 private constant _HEADER_SIZE = 27;

    /// @notice Writes a blob. The did has at most 255 bytes, each other string at most 65,535.
    /// @return pointer The contract whose code is a zero byte and the blob.
    function write(Content memory content) internal returns (address pointer) {
        uint256 header = uint160(content.minter);
        header = (header << 8) | bytes(content.did).length;
        header = (header << 16) | bytes(content.dataUrl).length;
        header = (header << 16) | bytes(content.contractId).length;
        header = (header << 16) | bytes(content.fungibleTokenId).length;
        return
            SSTORE2.write(
                abi.encodePacked(
                    uint216(header),
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
            uint256 header = uint256(bytes32(blob));
            content.minter = _minter(header);
            uint256 start = _HEADER_SIZE;
            content.did = string(_slice(blob, start, _didLength(header)));
            start += _didLength(header);
            content.dataUrl = string(_slice(blob, start, _dataUrlLength(header)));
            start += _dataUrlLength(header);
            content.contractId = string(_slice(blob, start, _contractIdLength(header)));
            start += _contractIdLength(header);
            content.fungibleTokenId = string(_slice(blob, start, _fungibleTokenIdLength(header)));
            start += _fungibleTokenIdLength(header);
            content.traitHashes = _words(_slice(blob, start, blob.length - start));
        }
    }

    function minterOf(address pointer) internal view returns (address) {
        return _minter(_header(pointer));
    }

    /// @dev The header in the highest 27 bytes of a word.
    function _header(address pointer) private view returns (uint256 header) {
        assembly ("memory-safe") {
            extcodecopy(pointer, 0x00, 1, 0x20)
            header := mload(0x00)
        }
    }

    function _minter(uint256 header) private pure returns (address) {
        return address(uint160(header >> 96));
    }

    function _didLength(uint256 header) private pure returns (uint256) {
        return uint8(header >> 88);
    }

    function _dataUrlLength(uint256 header) private pure returns (uint256) {
        return uint16(header >> 72);
    }

    function _contractIdLength(uint256 header) private pure returns (uint256) {
        return uint16(header >> 56);
    }

    function _fungibleTokenIdLength(uint256 header) private pure returns (uint256) {
        return uint16(header >> 40);
    }

    function _slice(
        bytes memory data,
        uint256 start,
        uint256 length
    ) private pure returns (bytes memory result) {
        if (length == 0) return result;
        assembly ("memory-safe") {
            result := mload(0x40)
            mstore(result, length)
            let content := add(result, 0x20)
            mcopy(content, add(add(data, 0x20), start), length)
            mstore(0x40, and(add(add(content, length), 0x1f), not(0x1f)))
        }
    }

    /// @dev Bytes and words lie in memory in the same way; only the length counts another unit.
    function _words(bytes memory data) private pure returns (bytes32[] memory words) {
        assembly ("memory-safe") {
            mstore(data, shr(5, mload(data)))
            words := data
        }
    }
}
