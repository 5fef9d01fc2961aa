// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppMetadata} from "../../../contracts/interfaces/IAppMetadata.sol";
import {IAppRegistry} from "../../../contracts/interfaces/IAppRegistry.sol";
import {MintInput, StoreInput, toParameters, toStruct, UpdateInput} from "../support/Structs.sol";
import {ReadsTwin} from "./ReadsTwin.sol";
import {RecordsTwin} from "./RecordsTwin.sol";

/// @dev Simple implementation of a registry and its metadata store that ignores gas. AppRegistry and AppMetadata must
/// behave the same.
contract RegistryTwin is ReadsTwin {
    struct MintedData {
        string did;
        uint8 major;
        uint8 minor;
        uint8 patch;
        uint16 interfaces;
        string dataUrl;
        bytes32 dataHash;
        uint8 dataHashAlgorithm;
        string contractId;
        string fungibleTokenId;
        bytes32[] traitHashes;
    }

    struct UpdatedData {
        uint8 major;
        uint8 minor;
        uint8 patch;
        uint16 interfaces;
        string dataUrl;
        bytes32 dataHash;
        uint8 dataHashAlgorithm;
        bytes32[] traitHashes;
    }

    mapping(bytes32 didHash => bool) private _isCanonical;

    event MetadataUpdate(uint256 tokenId);

    /// @param canonical Canonical DIDs among those that the tests use. Another test covers the syntax of DIDs.
    constructor(IAppRegistry subject, string[] memory canonical) RecordsTwin(subject) {
        for (uint256 i = 0; i < canonical.length; ++i) _isCanonical[keccak256(bytes(canonical[i]))] = true;
    }

    // Handles the calls with many parameters.
    fallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sig == IAppMetadata.setMetadata.selector) return _setMetadata(data);
        if (msg.sig == IAppRegistry.mint.selector) {
            return abi.encode(_mint(abi.decode(toStruct(data[4:]), (MintInput))));
        }
        require(msg.sig == IAppRegistry.updateAppControlled.selector, "No such function");
        _update(abi.decode(toStruct(data[4:]), (UpdateInput)));
        return "";
    }

    function updateStatus(string calldata did, uint8 major, uint8 newStatus) external {
        if (newStatus > 2) revert IAppRegistry.InvalidStatus(newStatus);
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        uint8 oldStatus = _apps[tokenId].status;
        bool mayRetire = newStatus != 0 && _controls(didHash, msg.sender);
        bool isAct = _isAuthorized(didHash, tokenId);
        if (!mayRetire) _refuseUnlessAuthorized(didHash, tokenId);
        _refuseIf(
            newStatus == oldStatus,
            abi.encodeWithSelector(IAppRegistry.StatusUnchanged.selector, oldStatus)
        );
        _revertIfRefused();
        if (isAct) _act(tokenId);
        _apps[tokenId].status = newStatus;
        emit IAppRegistry.StatusUpdated(tokenId, didHash, oldStatus, newStatus);
    }

    function republishMetadata(string calldata did, uint8 major, string calldata json) external {
        if (bytes(json).length == 0) revert IAppRegistry.EmptyMetadata();
        (bytes32 didHash, uint256 tokenId) = _locate(did, major);
        IAppRegistry.App storage app = _apps[tokenId];
        _refuseUnlessAuthorized(didHash, tokenId);
        _refuseIfWrongHash(app.dataHash, app.dataHashAlgorithm, json);
        _refuseIfTooLarge(json);
        _revertIfRefused();
        _act(tokenId);
        _storeJson(tokenId, json, true);
    }

    function _mint(MintInput memory input) private returns (uint256 tokenId) {
        bytes32 didHash = keccak256(bytes(input.did));
        _refuseIf(
            !_isCanonical[didHash],
            abi.encodeWithSelector(IAppRegistry.InvalidDID.selector, input.did)
        );
        _refuseUnlessController(didHash);
        _refuseIfNoInterfaces(input.interfaces);
        _refuseIfWrongDocument(input.dataHash, input.dataHashAlgorithm, input.metadataJson);
        _refuseIfWrongTraits(input.traitHashes);
        _refuseIf(
            bytes(input.dataUrl).length == 0,
            abi.encodeWithSelector(IAppRegistry.EmptyDataUrl.selector)
        );
        _refuseIfLonger(IAppRegistry.DataUrlTooLong.selector, input.dataUrl, 2048);
        _refuseIfLonger(IAppRegistry.ContractIdTooLong.selector, input.contractId, 256);
        _refuseIfLonger(IAppRegistry.FungibleTokenIdTooLong.selector, input.fungibleTokenId, 256);
        _refuseIfWrongMajor(didHash, input.major);
        _revertIfRefused();

        tokenId = ++totalSupply;
        _ids[didHash][input.major] = tokenId;
        _majors[didHash].push(input.major);
        _writeRecord(tokenId, input);
        _transfer(msg.sender, tokenId);
        _emitMinted(tokenId, didHash, input);
        if (bytes(input.metadataJson).length > 0) _storeJson(tokenId, input.metadataJson, false);
    }

    function _update(UpdateInput memory input) private {
        (bytes32 didHash, uint256 tokenId) = _locate(input.did, input.major);
        _refuseUnlessAuthorized(didHash, tokenId);
        _refuseIfLonger(IAppRegistry.DataUrlTooLong.selector, input.dataUrl, 2048);
        _refuseIfWrongDocument(input.dataHash, input.dataHashAlgorithm, input.metadataJson);
        _refuseIfWrongTraits(input.traitHashes);
        _refuseIfNotNext(tokenId, input);
        _revertIfRefused();

        _act(tokenId);
        _mayLower[tokenId] = false;
        IAppRegistry.App storage app = _apps[tokenId];
        bool isUrlNew =
            bytes(input.dataUrl).length > 0 &&
                keccak256(bytes(input.dataUrl)) != keccak256(bytes(app.dataUrl));
        bool isNew = isUrlNew || app.dataHash != input.dataHash;
        (app.dataHash, app.dataHashAlgorithm) = (input.dataHash, input.dataHashAlgorithm);
        if (isUrlNew) app.dataUrl = input.dataUrl;
        if (input.interfaces != 0) app.interfaces = input.interfaces;
        if (input.traitHashes.length > 0) app.traitHashes = input.traitHashes;
        _pushVersion(app, input.minor, input.patch);
        _emitUpdated(tokenId, didHash, input);
        if (isNew) emit MetadataUpdate(tokenId);
        if (bytes(input.metadataJson).length > 0) _storeJson(tokenId, input.metadataJson, false);
    }

    function _writeRecord(uint256 tokenId, MintInput memory input) private {
        IAppRegistry.App storage app = _apps[tokenId];
        (app.did, app.versionMajor, app.interfaces) = (input.did, input.major, input.interfaces);
        (app.dataUrl, app.dataHash) = (input.dataUrl, input.dataHash);
        app.dataHashAlgorithm = input.dataHashAlgorithm;
        (app.contractId, app.fungibleTokenId) = (input.contractId, input.fungibleTokenId);
        (app.minter, app.traitHashes) = (msg.sender, input.traitHashes);
        _pushVersion(app, input.minor, input.patch);
    }

    function _pushVersion(IAppRegistry.App storage app, uint8 minor, uint8 patch) private {
        app.versionHistory.push(
            IAppRegistry.Version(app.versionMajor, minor, patch, uint64(block.timestamp))
        );
    }

    function _storeJson(uint256 tokenId, string memory json, bool force) private {
        IAppRegistry.App storage app = _apps[tokenId];
        IAppRegistry.Version memory version = app.versionHistory[app.versionHistory.length - 1];
        StoreInput memory input;
        (input.did, input.didHash) = (app.did, keccak256(bytes(app.did)));
        (input.major, input.minor, input.patch) = (version.major, version.minor, version.patch);
        (input.dataHash, input.dataHashAlgorithm) = (app.dataHash, app.dataHashAlgorithm);
        (input.json, input.force) = (json, force);
        _store(input);
    }

    function _emitMinted(uint256 tokenId, bytes32 didHash, MintInput memory input) private {
        MintedData memory data;
        (data.did, data.major, data.minor, data.patch) = (input.did, input.major, input.minor, input.patch);
        (data.interfaces, data.dataUrl, data.dataHash) = (input.interfaces, input.dataUrl, input.dataHash);
        data.dataHashAlgorithm = input.dataHashAlgorithm;
        (data.contractId, data.fungibleTokenId) = (input.contractId, input.fungibleTokenId);
        data.traitHashes = input.traitHashes;
        bytes memory encoded = toParameters(abi.encode(data));
        bytes32 signature = IAppRegistry.AppMinted.selector;
        assembly ("memory-safe") {
            log4(add(encoded, 32), mload(encoded), signature, tokenId, didHash, caller())
        }
    }

    function _emitUpdated(uint256 tokenId, bytes32 didHash, UpdateInput memory input) private {
        UpdatedData memory data;
        (data.major, data.minor, data.patch) = (input.major, input.minor, input.patch);
        (data.interfaces, data.dataUrl) = (_apps[tokenId].interfaces, input.dataUrl);
        (data.dataHash, data.dataHashAlgorithm) = (input.dataHash, input.dataHashAlgorithm);
        data.traitHashes = input.traitHashes;
        bytes memory encoded = toParameters(abi.encode(data));
        bytes32 signature = IAppRegistry.AppUpdated.selector;
        assembly ("memory-safe") {
            log3(add(encoded, 32), mload(encoded), signature, tokenId, didHash)
        }
    }

    function _refuseIfWrongMajor(bytes32 didHash, uint8 major) private {
        _refuseIf(
            _ids[didHash][major] != 0,
            abi.encodeWithSelector(IAppRegistry.AppAlreadyExists.selector, didHash, major)
        );
        uint8 latest = _latestMajor(didHash);
        _refuseIf(
            _majors[didHash].length > 0 && major > uint256(latest) + 1,
            abi.encodeWithSelector(IAppRegistry.MajorNotNext.selector, major, latest)
        );
    }

    function _refuseIfNotNext(uint256 tokenId, UpdateInput memory input) private {
        IAppRegistry.App storage app = _apps[tokenId];
        IAppRegistry.Version memory current = app.versionHistory[app.versionHistory.length - 1];
        bool mayLower = _mayLower[tokenId];
        bool isLast = current.minor == 255 && current.patch == 255 && !mayLower;
        _refuseIfTaken(app, input.minor, input.patch);
        _refuseIf(isLast, abi.encodeWithSelector(IAppRegistry.VersionExhausted.selector, current.major));
        bool isHigher =
            uint256(input.minor) * 256 + input.patch > uint256(current.minor) * 256 + current.patch;
        _refuseIf(
            !isLast && !isHigher && !mayLower,
            abi.encodeWithSelector(
                IAppRegistry.VersionNotGreater.selector,
                current.minor,
                current.patch,
                input.minor,
                input.patch
            )
        );
        if (input.interfaces == 0 || input.interfaces == app.interfaces) return;
        _refuseIfNoInterfaces(input.interfaces);
        _refuseIf(
            app.interfaces & input.interfaces != app.interfaces,
            abi.encodeWithSelector(IAppRegistry.InterfaceRemoved.selector, app.interfaces, input.interfaces)
        );
        _refuseIf(
            input.minor <= current.minor,
            abi.encodeWithSelector(
                IAppRegistry.InterfaceChangeNeedsMinor.selector,
                app.interfaces,
                input.interfaces
            )
        );
    }

    function _refuseIfTaken(IAppRegistry.App storage app, uint8 minor, uint8 patch) private {
        bytes memory refusal = abi.encodeWithSelector(
            IAppRegistry.VersionTaken.selector,
            app.versionMajor,
            minor,
            patch
        );
        for (uint256 i = 0; i < app.versionHistory.length; ++i) {
            IAppRegistry.Version memory former = app.versionHistory[i];
            _refuseIf(former.minor == minor && former.patch == patch, refusal);
        }
    }

    function _refuseIfNoInterfaces(uint16 interfaces) private {
        _refuseIf(
            interfaces == 0 || interfaces > 7,
            abi.encodeWithSelector(IAppRegistry.InvalidInterfaces.selector, interfaces)
        );
    }

    function _refuseIfWrongDocument(bytes32 dataHash, uint8 algorithm, string memory json) private {
        _refuseIf(dataHash == 0, abi.encodeWithSelector(IAppRegistry.ZeroDataHash.selector));
        _refuseIf(
            algorithm > 1,
            abi.encodeWithSelector(IAppRegistry.InvalidHashAlgorithm.selector, algorithm)
        );
        _refuseIfTooLarge(json);
        if (algorithm <= 1 && bytes(json).length > 0) _refuseIfWrongHash(dataHash, algorithm, json);
    }

    function _refuseIfWrongHash(bytes32 dataHash, uint8 algorithm, string memory json) private {
        bytes32 actual = _hash(json, algorithm);
        _refuseIf(
            actual != dataHash,
            abi.encodeWithSelector(IAppRegistry.DataHashMismatch.selector, dataHash, actual)
        );
    }

    function _refuseIfWrongTraits(bytes32[] memory hashes) private {
        _refuseIf(
            hashes.length > 20,
            abi.encodeWithSelector(IAppRegistry.TooManyTraits.selector, hashes.length, 20)
        );
        for (uint256 i = 0; i < hashes.length; ++i) {
            _refuseIf(hashes[i] == 0, abi.encodeWithSelector(IAppRegistry.ZeroTrait.selector, i));
            for (uint256 j = 0; j < i; ++j) {
                _refuseIf(
                    hashes[i] == hashes[j],
                    abi.encodeWithSelector(IAppRegistry.DuplicateTrait.selector, hashes[i])
                );
            }
        }
    }

    function _refuseIfLonger(bytes4 selector, string memory text, uint256 max) private {
        uint256 length = bytes(text).length;
        _refuseIf(length > max, abi.encodeWithSelector(selector, length, max));
    }
}
