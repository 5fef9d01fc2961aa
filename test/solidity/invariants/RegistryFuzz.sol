// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibString} from "solady/src/utils/LibString.sol";

import {IAppRegistry} from "../../../contracts/interfaces/IAppRegistry.sol";
import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {TokenReceiver} from "../../../contracts/mocks/TokenReceiver.sol";
import {deploy} from "../support/Deploy.sol";
import {MintInput, toParameters, UpdateInput} from "../support/Structs.sol";
import {VM} from "../support/Vm.sol";

/// @dev Sets up a registry with its resolver, and generates random calls. Most inputs come from a few values that fit
/// together, so that calls pass the first checks.
abstract contract RegistryFuzz {
    uint256 internal constant ACCOUNTS = 6;
    bytes4 private constant _PANIC = bytes4(keccak256("Panic(uint256)"));
    uint64 private constant _START = 1_750_000_000;

    IResolver internal resolver;
    IAppRegistry internal registry;
    string[] internal dids;
    address[] private _accounts;

    function setUp() public virtual {
        VM.warp(_START);
        resolver = IResolver(
            deploy("ResolverWithStore", abi.encode(address(this), 1 hours, 7 days, 365 days))
        );
        registry = IAppRegistry(deploy("AppRegistry", abi.encode(resolver)));
        dids.push("did:web:example.com");
        dids.push("did:web:example.com%3A8443:team");
        dids.push("did:pkh:eip155:1:0xd8da6bf26964af9d7eed9e03e53415d37aa96045");
        for (uint256 i = 0; i < 4; ++i) _accounts.push(address(uint160(0xacc0 + i)));
        _accounts.push(address(new TokenReceiver()));
        // The resolver is a contract that can't receive tokens.
        _accounts.push(address(resolver));
        _publish();
    }

    /// @dev Publishes the first records. Two accounts control the first DID, and one of them publishes two major
    /// versions. The other DIDs have one controller each.
    function _publish() private {
        resolver.addIssuer(address(this));
        for (uint256 i = 0; i < dids.length; ++i) _attest(dids[i], _account(i == 2 ? 1 : 0));
        _attest(dids[0], _account(1));
        VM.warp(_START + 1 hours);
        for (uint256 i = 0; i < 5; ++i) {
            MintInput memory input = _mintInput(i << 9);
            (input.did, input.major) = (dids[i % 3], uint8(1 + i / 3));
            if (i == 2) input.minor = input.patch = 255;
            _succeed(_account(i == 2 ? 1 : 0), _encode(input));
        }
    }

    function _call(address caller, bytes memory data) internal returns (bool ok, bytes memory answer) {
        VM.prank(caller);
        (ok, answer) = address(registry).call(data);
        require(ok || answer.length >= 4, "a revert without an error");
        require(bytes4(answer) != _PANIC, "a panic");
    }

    function _succeed(address caller, bytes memory data) internal {
        (bool ok, ) = _call(caller, data);
        require(ok, "accepted");
    }

    /// @dev Makes a random call, which may revert, and sometimes moves the clock.
    function _act(uint256 seed) internal returns (bytes memory data, bool ok) {
        address caller;
        (caller, data) = _plan(seed % 16, seed >> 8);
        if (data.length > 0) (ok, ) = _call(caller, data);
        uint256[8] memory times = [uint256(0), 1, 1 hours, 1 hours, 1 days, 29 days, 30 days, 31 days];
        if (seed >> 254 == 0) VM.warp(block.timestamp + times[(seed >> 248) % 8]);
    }

    function _plan(uint256 kind, uint256 seed) internal returns (address caller, bytes memory data) {
        caller = _account(_pick(seed, 0) % ACCOUNTS);
        address other = _account(_pick(seed, 1) % ACCOUNTS);
        (string memory did, uint8 major) = (_did(_pick(seed, 2) % 8), uint8(_pick(seed, 3) % 4));
        uint256 tokenId = 1 + (_pick(seed, 4) % 6);
        if (kind < 3) {
            MintInput memory input = _mintInput(seed);
            uint8 latest = registry.latestMajor(keccak256(bytes(input.did)));
            if (_pick(seed, 5) % 4 > 0 && latest < 255) input.major = latest + 1;
            return (_holder(seed), _encode(input));
        }
        if (kind < 6) return (_holder(seed), _encode(_updateInput(seed)));
        if (kind < 8) {
            bytes4 select = IAppRegistry.updateStatus.selector;
            return (_holder(seed), abi.encodeWithSelector(select, did, major, _pick(seed, 5) % 3));
        }
        if (kind == 8)
            return (_holder(seed), abi.encodeCall(registry.transferFrom, (_holder(seed), other, tokenId)));
        if (kind == 9) return (caller, abi.encodeCall(registry.setApprovalForAll, (other, true)));
        if (kind < 12) return (caller, abi.encodeCall(registry.openReclaim, (did, major)));
        if (kind == 12) return (caller, abi.encodeCall(registry.finishReclaim, (did, major)));
        if (kind == 13) _forget(did, _account(_pick(seed, 6) % 2));
        else _attest(did, _account(_pick(seed, 1) % 4 < 3 ? _pick(seed, 1) % 2 : 2));
    }

    /// @dev Attests a controller, unless the issuer revoked it recently.
    function _attest(string memory did, address controller) private {
        // solhint-disable-next-line no-empty-blocks
        try resolver.attestDID(keccak256(bytes(did)), controller, 0) {} catch (bytes memory reason) {
            require(bytes4(reason) == IResolver.RecentlyRevoked.selector, "attested");
        }
    }

    function _forget(string memory did, address controller) private {
        bytes32 didHash = keccak256(bytes(did));
        if (resolver.getDIDAttestations(didHash, controller).length == 0) return;
        resolver.revokeDID(didHash, controller);
    }

    /// @dev Returns a mint that succeeds if its caller controls the DID and the major version is free and not too high.
    function _mintInput(uint256 seed) internal view returns (MintInput memory input) {
        input.did = _did(_pick(seed, 7) % 8);
        input.interfaces = uint16(1 + (_pick(seed, 8) % 7));
        input.dataUrl = string.concat("https://example.com/", LibString.toString(_pick(seed, 9) % 4));
        (input.metadataJson, input.dataHash, input.dataHashAlgorithm) = _document(seed);
        input.contractId = _pick(seed, 12) % 2 == 0 ? "" : "eip155:1:0xd8da";
        input.fungibleTokenId = _pick(seed, 13) % 2 == 0 ? "" : "eip155:1/erc20:0xd8da";
        (input.major, input.minor) = (uint8(_pick(seed, 14) % 6), uint8(_pick(seed, 15) % 3));
        input.patch = uint8(_pick(seed, 16) % 3);
        input.traitHashes = _traits(seed);
    }

    /// @dev Returns an update that often succeeds.
    function _updateInput(uint256 seed) internal view returns (UpdateInput memory input) {
        (input.did, input.major) = (_did(_pick(seed, 7) % 8), uint8(1 + (_pick(seed, 14) % 3)));
        input.dataUrl = _mintInput(seed).dataUrl;
        if (_pick(seed, 8) % 2 == 0) input.dataUrl = "";
        (input.metadataJson, input.dataHash, input.dataHashAlgorithm) = _document(seed);
        if (_pick(seed, 9) % 4 == 0) input.interfaces = uint16(1 + (_pick(seed, 12) % 7));
        input.traitHashes = _traits(seed);
        (input.minor, input.patch) = (uint8(_pick(seed, 15) % 8), uint8(_pick(seed, 16)));
    }

    function _document(
        uint256 seed
    ) internal pure returns (string memory json, bytes32 dataHash, uint8 algorithm) {
        json = string.concat('{"n":', LibString.toString(_pick(seed, 10) % 4), "}");
        algorithm = uint8(_pick(seed, 11) % 2);
        dataHash = algorithm == 0 ? keccak256(bytes(json)) : sha256(bytes(json));
        if (_pick(seed, 11) % 8 > 4) json = "";
        if (_pick(seed, 11) % 16 == 4) dataHash = ~dataHash;
    }

    function _traits(uint256 seed) internal pure returns (bytes32[] memory traitHashes) {
        traitHashes = new bytes32[](_pick(seed, 17) % 4);
        for (uint256 i = 0; i < traitHashes.length; ++i) {
            traitHashes[i] = bytes32(1 + i + (_pick(seed, 18) % 3));
        }
    }

    /// @dev Returns one of the test's accounts for most seeds, else any address.
    function _account(uint256 seed) internal view returns (address) {
        if (seed < ACCOUNTS) return _accounts[seed];
        return seed % 8 < 7 ? _accounts[(seed >> 3) % ACCOUNTS] : address(uint160(seed >> 3));
    }

    /// @dev Returns for most seeds the account that mints and holds most records.
    function _holder(uint256 seed) internal view returns (address) {
        return _account(seed % 8 < 6 ? 0 : (seed % 8) - 5);
    }

    function _did(uint256 seed) internal view returns (string memory) {
        return
            seed % 8 < 5
                ? dids[0]
                : seed % 8 < 7
                    ? dids[1]
                    : dids[2];
    }

    function _encode(MintInput memory input) internal pure returns (bytes memory) {
        return bytes.concat(IAppRegistry.mint.selector, toParameters(abi.encode(input)));
    }

    function _encode(UpdateInput memory input) internal pure returns (bytes memory) {
        return bytes.concat(IAppRegistry.updateAppControlled.selector, toParameters(abi.encode(input)));
    }

    function _pick(uint256 seed, uint256 index) internal pure returns (uint256) {
        return (seed >> (8 * index)) & 0xff;
    }
}
