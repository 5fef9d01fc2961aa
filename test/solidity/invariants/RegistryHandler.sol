// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../../../contracts/interfaces/IAppRegistry.sol";
import {MintInput, toParameters, toStruct, UpdateInput} from "../support/Structs.sol";
import {RegistryFuzz} from "./RegistryFuzz.sol";
import {Targets} from "./Targets.sol";

/// @dev Makes random calls of publishers, controllers, an issuer and a thief on one registry while time passes, and
/// records the data that the invariants need.
abstract contract RegistryHandler is RegistryFuzz, Targets {
    struct Recorded {
        bytes32 dataHash;
        uint8 algorithm;
    }

    address private constant _THIEF = address(0x7431ef);

    /// @dev Number of successful calls by selector.
    mapping(bytes4 selector => uint256) internal _accepted;
    /// @dev Hash of each published version, by keccak256 of DID, major, minor and patch.
    mapping(bytes32 version => Recorded) internal _recorded;
    uint256 internal _steps;
    mapping(uint256 tokenId => uint256) private _versionCount;
    mapping(uint256 tokenId => bytes32) private _versions;

    function setUp() public virtual override {
        super.setUp();
        for (uint256 id = 1; id <= registry.totalSupply(); ++id) {
            IAppRegistry.App memory app = registry.getAppByTokenId(id);
            IAppRegistry.Version memory version = app.versionHistory[0];
            bytes32 key = keccak256(abi.encode(app.did, version.major, version.minor, version.patch));
            _recorded[key] = Recorded(app.dataHash, app.dataHashAlgorithm);
        }
    }

    /// @dev Makes a few calls before the invariants are checked.
    function act(uint256 seed) external {
        _widen(uint256(keccak256(abi.encode(seed, ++_steps))));
        for (uint256 i = 0; i < 6; ++i) {
            (bytes memory data, bool ok) = _act(_wanted(uint256(keccak256(abi.encode(seed, ++_steps)))));
            if (!ok) continue;
            ++_accepted[bytes4(data)];
            this.note(data);
        }
    }

    /// @dev Makes a random call from an account without any role, which must change nothing.
    function steal(uint256 seed) external {
        ++_steps;
        seed = uint256(keccak256(abi.encode(seed, _steps)));
        (, bytes memory data) = _plan(seed % 13, seed >> 8);
        if (seed >> 252 == 0) data = abi.encodeCall(registry.approve, (_THIEF, 1 + (seed % 6)));
        if (seed >> 252 == 1)
            data = abi.encodeCall(registry.transferFrom, (_account(0), _THIEF, 1 + (seed % 6)));
        if (seed >> 252 == 2) data = abi.encodeCall(registry.republishMetadata, (dids[0], 1, '{"n":1}'));
        bytes32 before = _digestAll();
        (bool ok, ) = _call(_THIEF, data);
        require(!ok || bytes4(data) == registry.setApprovalForAll.selector, "a stranger is let in");
        require(_digestAll() == before, "a stranger changes something");
    }

    /// @dev Records the version that a successful mint or update has published.
    function note(bytes calldata data) external {
        if (bytes4(data) == IAppRegistry.mint.selector) {
            MintInput memory input = abi.decode(toStruct(data[4:]), (MintInput));
            bytes32 version = keccak256(abi.encode(input.did, input.major, input.minor, input.patch));
            _recorded[version] = Recorded(input.dataHash, input.dataHashAlgorithm);
        } else if (bytes4(data) == IAppRegistry.updateAppControlled.selector) {
            UpdateInput memory input = abi.decode(toStruct(data[4:]), (UpdateInput));
            bytes32 version = keccak256(abi.encode(input.did, input.major, input.minor, input.patch));
            require(_recorded[version].dataHash == 0, "a version is published twice");
            _recorded[version] = Recorded(input.dataHash, input.dataHashAlgorithm);
        }
    }

    /// @dev Requires that a record's history begins with all versions that it had at the previous call.
    function _extendHistory(uint256 tokenId) internal {
        IAppRegistry.Version[] memory versions = registry.getAppByTokenId(tokenId).versionHistory;
        (uint256 count, uint256 before) = (versions.length, _versionCount[tokenId]);
        require(count >= before, "versions are lost");
        if (before > 0) {
            assembly ("memory-safe") {
                mstore(versions, before)
            }
            require(keccak256(abi.encode(versions)) == _versions[tokenId], "a version has changed");
            assembly ("memory-safe") {
                mstore(versions, count)
            }
        }
        (_versionCount[tokenId], _versions[tokenId]) = (count, keccak256(abi.encode(versions)));
    }

    /// @dev Returns a seed for the first kind of call that has not succeeded yet, because a short run might miss it.
    function _wanted(uint256 seed) private view returns (uint256) {
        if (_accepted[IAppRegistry.mint.selector] == 0) return seed - (seed % 16);
        if (_accepted[IAppRegistry.updateAppControlled.selector] == 0) return seed - (seed % 16) + 3;
        if (_accepted[IAppRegistry.updateStatus.selector] == 0) return seed - (seed % 16) + 6;
        if (_accepted[registry.transferFrom.selector] == 0) return seed - (seed % 16) + 8;
        return seed;
    }

    /// @dev Lets a minter add an interface to its record.
    function _widen(uint256 seed) private {
        IAppRegistry.App memory app = registry.getAppByTokenId(1 + (seed % registry.totalSupply()));
        UpdateInput memory input;
        (input.did, input.major, input.dataHash) = (app.did, app.versionMajor, app.dataHash);
        input.dataHashAlgorithm = app.dataHashAlgorithm;
        input.interfaces = app.interfaces | uint16(1 << ((seed >> 8) % 3));
        uint8 minor = app.versionHistory[app.versionHistory.length - 1].minor;
        if (minor == type(uint8).max) return;
        input.minor = minor + 1;
        bytes memory data = bytes.concat(
            IAppRegistry.updateAppControlled.selector,
            toParameters(abi.encode(input))
        );
        (bool ok, ) = _call(app.minter, data);
        if (ok) this.note(data);
    }

    /// @dev Returns a hash of everything that can be read of every record.
    function _digestAll() private view returns (bytes32 all) {
        for (uint256 id = 1; id <= registry.totalSupply(); ++id) {
            IAppRegistry.App memory app = registry.getAppByTokenId(id);
            IAppRegistry.Reclaim memory reclaim = registry.getReclaim(app.did, app.versionMajor, _account(1));
            all = keccak256(abi.encode(all, app, reclaim, registry.ownerOf(id), registry.getApproved(id)));
        }
        for (uint256 i = 0; i < dids.length; ++i) {
            (string memory json, , , , bytes32 hash, uint64 time) = registry.metadata().getMetadata(dids[i]);
            all = keccak256(abi.encode(all, json, hash, time));
        }
    }
}
