// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibRLP} from "solady/src/utils/LibRLP.sol";

import {IAppMetadata} from "../../../contracts/interfaces/IAppMetadata.sol";
import {IAppRegistry} from "../../../contracts/interfaces/IAppRegistry.sol";
import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {StoreInput, toStruct} from "../support/Structs.sol";
import {TokenTwin} from "./TokenTwin.sol";

/// @dev Stores records as the structs that reads return, and the latest JSON of each DID. Decides who may change a
/// record.
abstract contract RecordsTwin is TokenTwin {
    struct Stored {
        string json;
        uint8 major;
        uint8 minor;
        uint8 patch;
        bytes32 hash;
        uint64 timestamp;
    }

    IResolver public immutable resolver;
    IAppMetadata public immutable metadata;
    /// @dev Registry that is compared with this twin.
    address public immutable registry;

    mapping(uint256 tokenId => IAppRegistry.App) internal _apps;
    mapping(bytes32 didHash => mapping(uint8 major => uint256)) internal _ids;
    mapping(bytes32 didHash => uint8[]) internal _majors;
    /// @dev True if a reclaim was finished since the last version.
    mapping(uint256 tokenId => bool) internal _mayLower;
    mapping(bytes32 didHash => Stored) internal _latest;
    uint256 private _jsons;

    constructor(IAppRegistry subject) {
        (registry, resolver, metadata) = (address(subject), subject.resolver(), subject.metadata());
    }

    function getMetadataJson(string calldata did) external view returns (string memory) {
        return _latest[keccak256(bytes(did))].json;
    }

    function getMetadata(
        string calldata did
    ) external view returns (string memory, uint8, uint8, uint8, bytes32, uint64) {
        Stored memory latest = _latest[keccak256(bytes(did))];
        return (latest.json, latest.major, latest.minor, latest.patch, latest.hash, latest.timestamp);
    }

    // solhint-disable-next-line func-name-mixedcase
    function MAX_METADATA_SIZE() external pure returns (uint256) {
        return 24_575;
    }

    /// @dev Implements `setMetadata`, from its call data.
    function _setMetadata(bytes calldata data) internal returns (bytes memory) {
        StoreInput memory input = abi.decode(toStruct(data[4:]), (StoreInput));
        _refuseIf(
            msg.sender != registry,
            abi.encodeWithSelector(IAppMetadata.OnlyRegistry.selector, msg.sender)
        );
        _refuseIfTooLarge(input.json);
        _revertIfRefused();
        return abi.encode(_store(input));
    }

    function _refuseIfTooLarge(string memory json) internal {
        _refuseIf(
            bytes(json).length > 24_575,
            abi.encodeWithSelector(IAppMetadata.MetadataTooLarge.selector, bytes(json).length, 24_575)
        );
    }

    /// @dev Stores a JSON. Returns the contract that must hold it: the store creates no other contracts.
    function _store(StoreInput memory input) internal returns (address pointer) {
        pointer = LibRLP.computeAddress(address(metadata), ++_jsons);
        uint64 timestamp = uint64(block.timestamp);
        Stored storage latest = _latest[input.didHash];
        if (input.force || input.major >= latest.major) {
            (latest.json, latest.timestamp) = (input.json, timestamp);
            (latest.major, latest.minor, latest.patch) = (input.major, input.minor, input.patch);
            latest.hash = _hash(input.json, input.dataHashAlgorithm);
        }
        emit IAppMetadata.MetadataSet(
            input.didHash,
            input.did,
            input.major,
            input.minor,
            input.patch,
            input.dataHash,
            timestamp,
            pointer
        );
    }

    function _isAuthorized(bytes32 didHash, uint256 tokenId) internal view returns (bool) {
        (address holder, address minter) = (_owners[tokenId], _apps[tokenId].minter);
        bool actsForHolder = msg.sender == holder || isApprovedForAll[holder][msg.sender];
        if (msg.sender == minter && _controls(didHash, minter)) return true;
        return actsForHolder && _controls(didHash, holder);
    }

    function _refuseUnlessAuthorized(bytes32 didHash, uint256 tokenId) internal {
        (address holder, address minter) = (_owners[tokenId], _apps[tokenId].minter);
        bool isMinter = msg.sender == minter;
        bool actsForHolder = msg.sender == holder || isApprovedForAll[holder][msg.sender];
        if (_isAuthorized(didHash, tokenId)) return;
        bytes4 notController = IAppRegistry.NotController.selector;
        _refuseIf(isMinter, abi.encodeWithSelector(notController, didHash, minter));
        _refuseIf(actsForHolder && !isMinter, abi.encodeWithSelector(notController, didHash, holder));
        _refuseIf(
            !isMinter && !actsForHolder,
            abi.encodeWithSelector(IAppRegistry.NotAuthorized.selector, tokenId, msg.sender)
        );
    }

    /// @dev Handles every change by the minter or holder while it controls the DID.
    function _act(uint256 tokenId) internal virtual;

    function _refuseUnlessController(bytes32 didHash) internal {
        _refuseIf(
            !_controls(didHash, msg.sender),
            abi.encodeWithSelector(IAppRegistry.NotController.selector, didHash, msg.sender)
        );
    }

    function _controls(bytes32 didHash, address account) internal view returns (bool) {
        return resolver.checkDID(didHash, account);
    }

    function _locate(
        string memory did,
        uint8 major
    ) internal view returns (bytes32 didHash, uint256 tokenId) {
        didHash = keccak256(bytes(did));
        tokenId = _ids[didHash][major];
        if (tokenId == 0) revert IAppRegistry.AppNotFound(didHash, major);
    }

    function _hash(string memory text, uint8 algorithm) internal pure returns (bytes32) {
        return algorithm == 0 ? keccak256(bytes(text)) : sha256(bytes(text));
    }
}
