// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SSTORE2} from "solady/src/utils/SSTORE2.sol";

import {IAppMetadata} from "./interfaces/IAppMetadata.sol";
import {DocumentHash} from "./libraries/DocumentHash.sol";

/// @title Metadata store of the App Registry
/// @notice Stores each JSON as contract code. One slot per DID points to the DID's latest JSON.
contract AppMetadata is IAppMetadata {
    /// @dev Latest JSON of a DID, in one slot. The dataHash is not stored: reads compute it from the JSON.
    struct Latest {
        address pointer;
        uint8 major;
        uint8 minor;
        uint8 patch;
        uint8 dataHashAlgorithm;
        uint64 timestamp;
    }

    /// @inheritdoc IAppMetadata
    /// @dev Contract code has at most 24,576 bytes (EIP-170). The first byte is a zero, which makes every call stop.
    uint256 public constant MAX_METADATA_SIZE = 24_575;

    /// @inheritdoc IAppMetadata
    // solhint-disable-next-line immutable-vars-naming
    address public immutable registry = msg.sender;

    mapping(bytes32 didHash => Latest) private _latest;

    /// @inheritdoc IAppMetadata
    function setMetadata(
        string calldata did,
        bytes32 didHash,
        uint8 major,
        uint8 minor,
        uint8 patch,
        bytes32 dataHash,
        uint8 dataHashAlgorithm,
        string calldata json,
        bool force
    ) external returns (address pointer) {
        if (msg.sender != registry) revert OnlyRegistry(msg.sender);
        if (bytes(json).length > MAX_METADATA_SIZE) {
            revert MetadataTooLarge(bytes(json).length, MAX_METADATA_SIZE);
        }
        pointer = SSTORE2.write(bytes(json));
        uint64 timestamp = uint64(block.timestamp);
        bool isLatest = force || major >= _latest[didHash].major;
        if (isLatest) {
            _latest[didHash] = Latest(pointer, major, minor, patch, dataHashAlgorithm, timestamp);
        }
        emit MetadataSet(didHash, did, major, minor, patch, dataHash, timestamp, pointer, isLatest);
    }

    /// @inheritdoc IAppMetadata
    function getMetadataJson(string calldata did) external view returns (string memory json) {
        address pointer = _latest[keccak256(bytes(did))].pointer;
        if (pointer != address(0)) json = string(SSTORE2.read(pointer));
    }

    /// @inheritdoc IAppMetadata
    function getMetadata(
        string calldata did
    )
        external
        view
        returns (string memory json, uint8 major, uint8 minor, uint8 patch, bytes32 hash, uint64 timestamp)
    {
        Latest memory latest = _latest[keccak256(bytes(did))];
        if (latest.pointer != address(0)) {
            json = string(SSTORE2.read(latest.pointer));
            hash = DocumentHash.hash(bytes(json), latest.dataHashAlgorithm);
        }
        return (json, latest.major, latest.minor, latest.patch, hash, latest.timestamp);
    }
}
