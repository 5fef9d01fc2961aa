// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {ResolverFuzz} from "./ResolverFuzz.sol";

/// @dev What the owner of a resolver decides, against the plain twin.
contract ResolverIssuersTest is ResolverFuzz {
    function testFuzz_addIssuer(uint256[20] calldata issuers, uint256 caller, uint256 issuer) external {
        _fill(issuers);
        _call(_owner(caller), abi.encodeCall(IResolver.addIssuer, (_account(issuer))));
        _read(abi.encodeCall(IResolver.getIssuers, ()));
    }

    function testFuzz_removeIssuer(uint256[20] calldata issuers, uint256 caller, uint256 issuer) external {
        _fill(issuers);
        _call(_owner(caller), abi.encodeCall(IResolver.removeIssuer, (_account(issuer))));
        _read(abi.encodeCall(IResolver.getIssuers, ()));
    }

    function testFuzz_isIssuer(uint256[20] calldata issuers, uint256 account) external {
        _fill(issuers);
        _read(abi.encodeCall(IResolver.isIssuer, (_account(account))));
    }

    function testFuzz_issuerEpoch(uint256[20] calldata issuers, uint256 account) external {
        _fill(issuers);
        _read(abi.encodeCall(IResolver.issuerEpoch, (_account(account))));
    }

    function testFuzz_getIssuers(uint256[20] calldata issuers) external {
        _fill(issuers);
        _read(abi.encodeCall(IResolver.getIssuers, ()));
    }

    function testFuzz_setMaxTTL(uint256 caller, uint256 ttl, uint256 expiresAt) external {
        _call(_owner(caller), abi.encodeCall(IResolver.setMaxTTL, (_bound(ttl, 1 days, 3650 days))));
        _read(abi.encodeCall(IResolver.maxTTL, ()));
        uint64 time = _time(expiresAt);
        _call(_account(1), abi.encodeCall(IResolver.attestDID, (_didHash(0), _account(FIRST), time)));
    }

    function testFuzz_setMaturation(uint256 caller, uint256 maturation) external {
        _call(
            _owner(caller),
            abi.encodeCall(IResolver.setMaturation, (_bound(maturation, 1 hours, 30 days)))
        );
        _read(abi.encodeCall(IResolver.maturation, ()));
        for (uint256 i = FIRST; i < ACCOUNTS; ++i) {
            _read(abi.encodeCall(IResolver.checkDID, (_didHash(0), _account(i))));
        }
    }

    function testFuzz_maxTTL(uint256[4] calldata ttls) external {
        for (uint256 i = 0; i < ttls.length; ++i) {
            uint64 ttl = _bound(ttls[i], 1 days, 3650 days);
            _call(_account(OWNER), abi.encodeCall(IResolver.setMaxTTL, (ttl)));
            _read(abi.encodeCall(IResolver.maxTTL, ()));
        }
    }

    function testFuzz_maturation(uint256[4] calldata maturations) external {
        for (uint256 i = 0; i < maturations.length; ++i) {
            uint64 maturation = _bound(maturations[i], 1 hours, 30 days);
            _call(_account(OWNER), abi.encodeCall(IResolver.setMaturation, (maturation)));
            _read(abi.encodeCall(IResolver.maturation, ()));
        }
    }

    function testFuzz_transferOwnership(uint256 caller, address newOwner) external {
        _call(_owner(caller), abi.encodeCall(Ownable2Step.transferOwnership, (newOwner)));
        _readOwners();
    }

    function testFuzz_acceptOwnership(uint256 newOwner, uint256 caller) external {
        _call(_account(OWNER), abi.encodeCall(Ownable2Step.transferOwnership, (_account(newOwner))));
        address heir = caller % 2 == 0 ? _account(newOwner) : _account(caller);
        _call(heir, abi.encodeCall(Ownable2Step.acceptOwnership, ()));
        _readOwners();
        _call(_account(OWNER), abi.encodeCall(IResolver.setMaxTTL, (1 days)));
        _call(heir, abi.encodeCall(IResolver.setMaxTTL, (2 days)));
    }

    function testFuzz_renounceOwnership(uint256 caller) external {
        _call(_owner(caller), abi.encodeCall(Ownable.renounceOwnership, ()));
        _readOwners();
    }

    function testFuzz_owner(address[3] calldata heirs) external {
        _handOver(heirs);
        _read(abi.encodeCall(Ownable.owner, ()));
    }

    function testFuzz_pendingOwner(address[3] calldata heirs, address pending) external {
        _handOver(heirs);
        _call(heirs[2], abi.encodeCall(Ownable2Step.transferOwnership, (pending)));
        _read(abi.encodeCall(Ownable2Step.pendingOwner, ()));
    }

    /// @dev Adds and removes, so that seats are free here and there, and sometimes none is.
    function _fill(uint256[20] calldata issuers) private {
        for (uint256 i = 0; i < issuers.length; ++i) {
            address issuer = address(uint160(1 + (issuers[i] % 24)));
            bytes memory data =
                issuers[i] >> 253 == 0
                    ? abi.encodeCall(IResolver.removeIssuer, (issuer))
                    : abi.encodeCall(IResolver.addIssuer, (issuer));
            _call(_account(OWNER), data);
        }
    }

    function _handOver(address[3] calldata heirs) private {
        address owner = _account(OWNER);
        for (uint256 i = 0; i < heirs.length; ++i) {
            _call(owner, abi.encodeCall(Ownable2Step.transferOwnership, (heirs[i])));
            _call(heirs[i], abi.encodeCall(Ownable2Step.acceptOwnership, ()));
            owner = heirs[i];
        }
    }

    function _readOwners() private {
        _read(abi.encodeCall(Ownable.owner, ()));
        _read(abi.encodeCall(Ownable2Step.pendingOwner, ()));
    }

    /// @dev The owner for three of four seeds.
    function _owner(uint256 seed) private view returns (address) {
        return seed % 4 == 0 ? _account(seed >> 2) : _account(OWNER);
    }

    /// @dev At a bound or just outside it, or within the bounds, or any.
    function _bound(uint256 seed, uint64 min, uint64 max) private pure returns (uint64) {
        uint256 rest = seed >> 2;
        if (seed % 4 == 0) return uint64(rest);
        if (seed % 4 == 1) return uint64(min - 1 + (rest % 3));
        return uint64(seed % 4 == 2 ? max - 1 + (rest % 3) : min + (rest % (max - min)));
    }
}
