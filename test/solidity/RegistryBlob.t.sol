// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {RecordBlob} from "../../contracts/libraries/RecordBlob.sol";

/// @dev Compares the content that is written to a blob with the content and the minter that are read from it.
contract RegistryBlobTest {
    function testFuzz_readsWhatWasWritten(
        address minter,
        string calldata did,
        string calldata dataUrl,
        string calldata contractId,
        string calldata fungibleTokenId,
        bytes32[] calldata traitHashes
    ) external {
        RecordBlob.Content memory written = RecordBlob.Content(
            minter,
            string(_firstBytes(did, 255)),
            string(_firstBytes(dataUrl, 2048)),
            string(_firstBytes(contractId, 256)),
            string(_firstBytes(fungibleTokenId, 256)),
            traitHashes[:traitHashes.length < 20 ? traitHashes.length : 20]
        );
        address pointer = RecordBlob.write(written);

        RecordBlob.Content memory read = RecordBlob.read(pointer);
        require(keccak256(abi.encode(read)) == keccak256(abi.encode(written)), "read");
        require(RecordBlob.readMinter(pointer) == minter, "readMinter");
    }

    /// @dev If earlier code has left data in free memory, the reader must not return it in the padding of a string.
    function testFuzz_readsTheSameInUsedMemory(bytes32 rest, string calldata text) external {
        bytes32[] memory none;
        RecordBlob.Content memory written = RecordBlob.Content(msg.sender, "did", text, "", text, none);
        if (bytes(text).length > 2048) return;
        address pointer = RecordBlob.write(written);
        bytes memory clean = abi.encode(RecordBlob.read(pointer));
        assembly ("memory-safe") {
            let free := mload(0x40)
            for {
                let i := 0
            } lt(i, 0x4000) {
                i := add(i, 0x20)
            } {
                mstore(add(free, i), rest)
            }
        }
        require(keccak256(abi.encode(RecordBlob.read(pointer))) == keccak256(clean), "read");
    }

    function _firstBytes(string calldata text, uint256 count) private pure returns (bytes calldata) {
        return bytes(text).length < count ? bytes(text) : bytes(text)[:count];
    }
}
