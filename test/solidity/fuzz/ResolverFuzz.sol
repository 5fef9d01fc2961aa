// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {deploy} from "../support/Deploy.sol";
import {SideBySide} from "../support/SideBySide.sol";
import {VM} from "../support/Vm.sol";
import {ResolverTwin} from "../twins/ResolverTwin.sol";

/// @dev A resolver beside its twin, and inputs for both. Most inputs are taken from a few values that belong together,
/// so that calls get past the first check; the others are as the fuzzer gives them.
abstract contract ResolverFuzz is SideBySide {
    uint64 internal constant START = 1_750_000_000;
    uint64 internal constant MATURATION = 2 days;
    uint256 internal constant OWNER = 0;
    /// @dev Issuers are 1, 2 and 3; 4 is none at first.
    uint256 internal constant ISSUERS = 3;
    uint256 internal constant FIRST = 5;
    uint256 internal constant ACCOUNTS = 10;
    uint256 private constant _FIRST_KEY = 0xa11ce;

    address internal resolver;
    ResolverTwin internal resolverTwin;
    address[] private _accounts;

    function setUp() public virtual {
        VM.warp(START);
        for (uint256 i = 0; i < ACCOUNTS; ++i) _accounts.push(VM.addr(_FIRST_KEY + i));
        resolver = deploy("ResolverWithStore", abi.encode(_account(OWNER), MATURATION));
        resolverTwin = new ResolverTwin(resolver, _account(OWNER), MATURATION);
        for (uint256 i = 1; i <= ISSUERS; ++i) {
            _succeed(_account(OWNER), abi.encodeCall(IResolver.addIssuer, (_account(i))));
        }
        _claim(_didHash(0));
    }

    /// @dev Of one DID: a first controller, one who has waited, one who is vouched for, one who is rejected and
    /// challenged, and one who waits.
    function _claim(bytes32 didHash) private {
        _succeed(_account(1), abi.encodeCall(IResolver.attestDID, (didHash, _account(FIRST), 0)));
        _succeed(_account(1), abi.encodeCall(IResolver.attestDID, (didHash, _account(6), 0)));
        VM.warp(START + MATURATION);
        for (uint256 i = 7; i < ACCOUNTS; ++i) {
            _succeed(_account(1), abi.encodeCall(IResolver.attestDID, (didHash, _account(i), 0)));
        }
        _succeed(_account(FIRST), abi.encodeCall(IResolver.vouchController, (didHash, _account(7))));
        _succeed(_account(6), abi.encodeCall(IResolver.rejectController, (didHash, _account(8))));
        _succeed(_account(6), abi.encodeCall(IResolver.challengeDID, (didHash, _account(8))));
        VM.warp(START + MATURATION + 1 days);
    }

    function _call(
        address caller,
        bytes memory data
    ) internal virtual returns (bool ok, bytes memory answer) {
        return _both(caller, resolver, address(resolverTwin), data);
    }

    function _read(bytes memory data) internal {
        _call(address(this), data);
    }

    function _succeed(address caller, bytes memory data) internal {
        (bool ok, ) = _call(caller, data);
        require(ok, "accepted");
    }

    /// @dev Acts that may or may not be accepted, and passing time: what a later call meets.
    function _live(uint256[8] calldata seeds) internal {
        for (uint256 i = 0; i < seeds.length; ++i) _act(uint256(keccak256(abi.encode(seeds[i], i))));
    }

    function _act(uint256 seed) internal returns (address caller, bytes memory data, bool ok) {
        (caller, data) = _plan(seed % 16, seed >> 8);
        (ok, ) = _call(caller, data);
        VM.warp(block.timestamp + _elapse(seed >> 248));
    }

    function _plan(uint256 kind, uint256 seed) internal view returns (address caller, bytes memory data) {
        bytes32 didHash = _didHash(_pick(seed, 0) % 3);
        address issuer = _account(_pick(seed, 1) % 2 == 0 ? 1 : 2 + (_pick(seed, 2) % ISSUERS));
        address controller = _controller(_pick(seed, 3));
        if (kind < 5) {
            uint64 expiresAt =
                _pick(seed, 5) < 128 ? 0 : uint64(block.timestamp + (_pick(seed, 6) * 1 hours));
            return (issuer, abi.encodeCall(IResolver.attestDID, (didHash, controller, expiresAt)));
        }
        if (kind < 7) return (issuer, abi.encodeCall(IResolver.revokeDID, (didHash, controller)));
        caller = _controller(_pick(seed, 4));
        if (kind < 9) return (caller, abi.encodeCall(IResolver.vouchController, (didHash, controller)));
        if (kind < 11) return (caller, abi.encodeCall(IResolver.rejectController, (didHash, controller)));
        if (kind < 12) return (caller, abi.encodeCall(IResolver.challengeDID, (didHash, controller)));
        if (kind < 14)
            return (issuer, abi.encodeCall(IResolver.resolveChallenge, (didHash, controller, caller)));
        if (kind == 14) return (_account(OWNER), abi.encodeCall(IResolver.removeIssuer, (issuer)));
        return (_account(OWNER), abi.encodeCall(IResolver.addIssuer, (issuer)));
    }

    /// @dev One of the known accounts for most seeds, else any.
    function _account(uint256 seed) internal view returns (address) {
        if (seed < ACCOUNTS) return _accounts[seed];
        return seed % 8 < 6 ? _accounts[(seed >> 3) % ACCOUNTS] : address(uint160(seed >> 3));
    }

    function _controller(uint256 seed) internal view returns (address) {
        return _accounts[FIRST + (seed % (ACCOUNTS - FIRST))];
    }

    function _keyOf(uint256 account) internal pure returns (uint256) {
        return _FIRST_KEY + account;
    }

    function _didHash(uint256 seed) internal pure returns (bytes32) {
        return seed % 8 < 7 ? keccak256(abi.encode("DID", seed % 3 == 0 ? 1 : 0)) : bytes32(seed >> 3);
    }

    function _dataHash(uint256 seed) internal pure returns (bytes32) {
        return seed % 8 < 7 ? keccak256(abi.encode("dataHash", seed % 2)) : bytes32(seed >> 3);
    }

    /// @dev 0, about now, about the end of the longest lifetime, within it, or any.
    function _time(uint256 seed) internal view returns (uint64) {
        uint256 maxTTL = IResolver(resolver).maxTTL();
        uint256 rest = seed >> 3;
        if (seed % 8 == 0) return 0;
        if (seed % 8 == 1) return uint64(block.timestamp - 1 + (rest % 3));
        if (seed % 8 == 2) return uint64(block.timestamp + maxTTL - 1 + (rest % 3));
        return uint64(seed % 8 < 7 ? block.timestamp + 1 + (rest % maxTTL) : rest);
    }

    /// @dev No time for half of the seeds, else the maturation and a second less or more, or some other time.
    function _elapse(uint256 seed) internal pure returns (uint256) {
        if (seed % 16 < 8) return 0;
        uint256[8] memory times = [uint256(1), 60, 1 hours, 1 days, 2 days - 1, 2 days, 2 days + 1, 30 days];
        return times[seed % 8];
    }

    function _pick(uint256 seed, uint256 index) internal pure returns (uint256) {
        return (seed >> (8 * index)) & 0xff;
    }
}
