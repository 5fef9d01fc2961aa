// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AppMetadata} from "./AppMetadata.sol";
import {AppControl} from "./base/AppControl.sol";
import {AppReads} from "./base/AppReads.sol";
import {IAppMetadata} from "./interfaces/IAppMetadata.sol";
import {IAppRegistry} from "./interfaces/IAppRegistry.sol";
import {IResolver} from "./interfaces/IResolver.sol";
import {AppStatus} from "./libraries/AppStatus.sol";
import {DIDSyntax} from "./libraries/DIDSyntax.sol";
import {DocumentHash} from "./libraries/DocumentHash.sol";
import {Interfaces} from "./libraries/Interfaces.sol";
import {PackedRecordFlags} from "./libraries/PackedRecordFlags.sol";
import {RecordBlob} from "./libraries/RecordBlob.sol";
import {RecordHead} from "./libraries/RecordHead.sol";
import {Totals} from "./libraries/Totals.sol";
import {TraitHashes} from "./libraries/TraitHashes.sol";

/// @title App Registry
/// @notice Mints and updates records. The contract has no owner, no setters and no proxy; the constructor fixes the
/// resolver and the metadata store.
contract AppRegistry is AppReads, AppControl {
    using PackedRecordFlags for mapping(uint256 => uint256);
    using TraitHashes for bytes32[];

    uint256 private constant _MAX_DATA_URL_LENGTH = 2048;
    /// @dev Longest contractId or fungibleTokenId, in bytes.
    uint256 private constant _MAX_CAIP_LENGTH = 256;

    /// @inheritdoc IAppRegistry
    // solhint-disable-next-line immutable-vars-naming
    IAppMetadata public immutable metadata = new AppMetadata();

    constructor(IResolver resolver_) AppControl(resolver_) {}

    /// @inheritdoc IAppRegistry
    function mint(
        string memory did,
        uint16 interfaces,
        string memory dataUrl,
        bytes32 dataHash,
        uint8 dataHashAlgorithm,
        string memory fungibleTokenId,
        string memory contractId,
        uint8 major,
        uint8 minor,
        uint8 patch,
        bytes32[] memory traitHashes,
        string memory metadataJson
    ) public returns (uint256 tokenId) {
        if (!DIDSyntax.isCanonical(did)) revert InvalidDID(did);
        bytes32 didHash = keccak256(bytes(did));
        _requireController(didHash, msg.sender);
        Interfaces.check(interfaces);
        traitHashes.check();
        _checkDocument(dataHash, dataHashAlgorithm, metadataJson);
        RecordBlob.Content memory content = RecordBlob.Content(
            msg.sender,
            did,
            dataUrl,
            contractId,
            fungibleTokenId,
            traitHashes
        );
        _checkStrings(content);

        Totals totals = _totals.withToken();
        _totals = totals;
        tokenId = totals.supply();
        _createHead(didHash, tokenId, major, minor, patch);
        _createRecord(tokenId, content, major, interfaces, dataHash, dataHashAlgorithm);
        _transfer(address(0), msg.sender, tokenId);
        emit AppMinted(
            tokenId,
            didHash,
            msg.sender,
            did,
            major,
            minor,
            patch,
            interfaces,
            dataUrl,
            dataHash,
            dataHashAlgorithm,
            contractId,
            fungibleTokenId,
            traitHashes
        );
        if (bytes(metadataJson).length == 0) return tokenId;
        _storeMetadata(did, didHash, major, minor, patch, dataHash, dataHashAlgorithm, metadataJson, false);
    }

    /// @inheritdoc IAppRegistry
    function updateAppControlled(
        string memory did,
        uint8 major,
        string memory dataUrl,
        bytes32 dataHash,
        uint8 dataHashAlgorithm,
        uint16 interfaces,
        bytes32[] memory traitHashes,
        uint8 minor,
        uint8 patch,
        string memory metadataJson
    ) public {
        bytes32 didHash = keccak256(bytes(did));
        RecordHead head = _head(didHash, major);
        uint256 tokenId = head.tokenId();
        _authorizeChange(didHash, tokenId, false);
        _checkDataUrlLength(dataUrl);
        _checkDocument(dataHash, dataHashAlgorithm, metadataJson);
        traitHashes.check();
        bool isMinorHigher = _checkVersion(_records[tokenId], head, minor, patch);

        _pushVersion(didHash, head, minor, patch);
        interfaces = _updateInterfaces(_records[tokenId], tokenId, interfaces, isMinorHigher);
        bool isDocumentNew = _updateDocument(_records[tokenId], dataHash, dataHashAlgorithm);
        bool isUrlNew = _updateBlob(_records[tokenId], dataUrl, traitHashes);
        emit AppUpdated(
            tokenId,
            didHash,
            major,
            minor,
            patch,
            interfaces,
            dataUrl,
            dataHash,
            dataHashAlgorithm,
            traitHashes
        );
        if (isDocumentNew || isUrlNew) emit MetadataUpdate(tokenId);
        if (bytes(metadataJson).length == 0) return;
        _storeMetadata(did, didHash, major, minor, patch, dataHash, dataHashAlgorithm, metadataJson, false);
    }

    /// @inheritdoc IAppRegistry
    function updateStatus(string memory did, uint8 major, uint8 newStatus) public {
        AppStatus.check(newStatus);
        bytes32 didHash = keccak256(bytes(did));
        uint256 tokenId = _head(didHash, major).tokenId();
        _authorizeChange(didHash, tokenId, newStatus != AppStatus.ACTIVE);
        uint8 oldStatus = _packedFlags.status(tokenId);
        if (newStatus == oldStatus) revert StatusUnchanged(oldStatus);

        // Listings by interface find only Active records, so the flags of the others hold no interfaces.
        uint8 interfaces = newStatus == AppStatus.ACTIVE ? _records[tokenId].interfaces : 0;
        _packedFlags.set(tokenId, newStatus, interfaces);
        _totals = _totals.withMove(oldStatus, newStatus);
        emit StatusUpdated(tokenId, didHash, oldStatus, newStatus);
    }

    /// @inheritdoc IAppRegistry
    function republishMetadata(string memory did, uint8 major, string memory metadataJson) public {
        if (bytes(metadataJson).length == 0) revert EmptyMetadata();
        bytes32 didHash = keccak256(bytes(did));
        RecordHead head = _head(didHash, major);
        uint256 tokenId = head.tokenId();
        _authorizeChange(didHash, tokenId, false);
        Record storage record = _records[tokenId];
        (bytes32 dataHash, uint8 dataHashAlgorithm) = (record.dataHash, record.dataHashAlgorithm);
        _checkHash(dataHash, dataHashAlgorithm, metadataJson);
        (uint8 minor, uint8 patch, ) = head.current();
        _storeMetadata(did, didHash, major, minor, patch, dataHash, dataHashAlgorithm, metadataJson, true);
    }

    /// @dev Calls `setMetadata`. Keep this the only call site: encoding the call takes much bytecode.
    function _storeMetadata(
        string memory did,
        bytes32 didHash,
        uint8 major,
        uint8 minor,
        uint8 patch,
        bytes32 dataHash,
        uint8 dataHashAlgorithm,
        string memory json,
        bool force
    ) private {
        metadata.setMetadata(did, didHash, major, minor, patch, dataHash, dataHashAlgorithm, json, force);
    }

    function _createRecord(
        uint256 tokenId,
        RecordBlob.Content memory content,
        uint8 major,
        uint16 interfaces,
        bytes32 dataHash,
        uint8 dataHashAlgorithm
    ) private {
        Record storage record = _records[tokenId];
        record.blob = _writeBlob(content);
        record.major = major;
        record.interfaces = uint8(interfaces);
        record.dataHashAlgorithm = dataHashAlgorithm;
        record.dataHash = dataHash;
        _packedFlags.set(tokenId, AppStatus.ACTIVE, uint8(interfaces));
    }

    /// @dev Updates the interface bitmap and returns it. 0 and the current bitmap change nothing.
    function _updateInterfaces(
        Record storage record,
        uint256 tokenId,
        uint16 interfaces,
        bool isMinorHigher
    ) private returns (uint16) {
        uint8 current = record.interfaces;
        if (interfaces == 0 || interfaces == current) return current;
        Interfaces.checkChange(current, interfaces, isMinorHigher);
        record.interfaces = uint8(interfaces);
        _packedFlags.set(tokenId, _packedFlags.status(tokenId), uint8(interfaces));
        return interfaces;
    }

    /// @dev Updates the dataHash and its algorithm. Returns true if the dataHash changes.
    function _updateDocument(
        Record storage record,
        bytes32 dataHash,
        uint8 algorithm
    ) private returns (bool isNew) {
        isNew = record.dataHash != dataHash;
        if (isNew) record.dataHash = dataHash;
        if (record.dataHashAlgorithm != algorithm) record.dataHashAlgorithm = algorithm;
    }

    /// @dev Updates the dataUrl and the trait hashes; empty arguments keep the stored values. Returns true if the
    /// dataUrl changes.
    function _updateBlob(
        Record storage record,
        string memory dataUrl,
        bytes32[] memory traitHashes
    ) private returns (bool isUrlNew) {
        if (bytes(dataUrl).length == 0 && traitHashes.length == 0) return false;
        RecordBlob.Content memory content = RecordBlob.read(_blob(record.blob));
        isUrlNew =
            bytes(dataUrl).length > 0 &&
            keccak256(bytes(dataUrl)) != keccak256(bytes(content.dataUrl));
        bool areTraitsNew = traitHashes.length > 0 && !traitHashes.isSame(content.traitHashes);
        if (!isUrlNew && !areTraitsNew) return false;
        if (isUrlNew) content.dataUrl = dataUrl;
        if (areTraitsNew) content.traitHashes = traitHashes;
        record.blob = _writeBlob(content);
    }

    function _checkStrings(RecordBlob.Content memory content) private pure {
        if (bytes(content.dataUrl).length == 0) revert EmptyDataUrl();
        _checkDataUrlLength(content.dataUrl);
        if (bytes(content.contractId).length > _MAX_CAIP_LENGTH) {
            revert ContractIdTooLong(bytes(content.contractId).length, _MAX_CAIP_LENGTH);
        }
        if (bytes(content.fungibleTokenId).length > _MAX_CAIP_LENGTH) {
            revert FungibleTokenIdTooLong(bytes(content.fungibleTokenId).length, _MAX_CAIP_LENGTH);
        }
    }

    function _checkDataUrlLength(string memory dataUrl) private pure {
        if (bytes(dataUrl).length > _MAX_DATA_URL_LENGTH) {
            revert DataUrlTooLong(bytes(dataUrl).length, _MAX_DATA_URL_LENGTH);
        }
    }

    function _checkDocument(bytes32 dataHash, uint8 algorithm, string memory metadataJson) private pure {
        if (dataHash == 0) revert ZeroDataHash();
        if (!DocumentHash.isAlgorithm(algorithm)) revert InvalidHashAlgorithm(algorithm);
        if (bytes(metadataJson).length > 0) _checkHash(dataHash, algorithm, metadataJson);
    }

    function _checkHash(bytes32 dataHash, uint8 algorithm, string memory metadataJson) private pure {
        bytes32 actual = DocumentHash.hash(bytes(metadataJson), algorithm);
        if (actual != dataHash) revert DataHashMismatch(dataHash, actual);
    }
}
