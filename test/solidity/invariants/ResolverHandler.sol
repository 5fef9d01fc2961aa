// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {VM} from "../support/Vm.sol";
import {ResolverSignatures} from "./ResolverSignatures.sol";
import {Targets} from "./Targets.sol";

/// @dev Owner, issuers (one comes and goes, one is none), controllers, relayers and a thief at work on one resolver,
/// while time passes. Whatever is called, the twin must agree.
abstract contract ResolverHandler is ResolverSignatures, Targets {
    address internal constant THIEF = address(0x7431ef);
    uint256 internal constant DIDS = 2;

    /// @dev Whether the resolver and its twin once differed on who counts.
    bool internal _isAtOdds;
    /// @dev Whether somebody without a role has changed something.
    bool internal _isRobbed;
    uint256 private _thefts;

    /// @dev Owner, issuers and controllers go about their business, a few of them before the invariants are looked at.
    function act(uint256 seed) external {
        for (uint256 i = 0; i < 6; ++i) {
            uint256 next = _next(seed);
            if (i == 0) _admit(next);
            else if (next % 8 == 0) _stateDataHash(next >> 3);
            else if (next % 8 == 1) _govern(next >> 3);
            else _act(next >> 3);
            _compare();
        }
    }

    /// @dev Somebody hands in what an issuer has just signed, as it is or altered, at once or after something else;
    /// then the same again, or an older one.
    function relay(uint256 seed) external {
        for (uint256 i = 0; i < 2; ++i) {
            uint256 next = _next(seed);
            Signed memory signed = _sign(_anIssuer(next >> 248), next);
            _interfere(signed, _pick(next, 8) % 16);
            _relay(_account(_pick(next, 9) % ACCOUNTS), _altered(signed, _pick(next, 10)));
            _relay(_account(_pick(next, 11) % ACCOUNTS), _older(_pick(next, 12)));
        }
        _compare();
    }

    /// @dev Somebody whom issuers attest challenges another controller, and somebody resolves it when it is due.
    function dispute(uint256 seed) external {
        seed = _next(seed);
        bytes32 didHash = _didHash(_pick(seed, 0) % 3);
        (address incumbent, address challenger) = (_controller(_pick(seed, 1)), _controller(_pick(seed, 2)));
        for (uint256 i = 1; i <= LAST_ISSUER; ++i) {
            if (_pick(seed, 2 + i) % 4 == 0) continue;
            _call(_account(i), abi.encodeCall(IResolver.attestDID, (didHash, challenger, 0)));
        }
        _call(_anIssuer(seed >> 248), abi.encodeCall(IResolver.attestDID, (didHash, incumbent, 0)));
        _call(challenger, abi.encodeCall(IResolver.challengeDID, (didHash, incumbent)));
        uint256 wait = IResolver(resolver).maturation();
        if (_pick(seed, 7) % 4 == 0) _act(_next(seed));
        VM.warp(block.timestamp + (_pick(seed, 8) % 8 == 0 ? 2 * wait : wait));
        address resolvedBy = _account(_pick(seed, 9) % ACCOUNTS);
        _call(resolvedBy, abi.encodeCall(IResolver.resolveChallenge, (didHash, incumbent, challenger)));
        _compare();
    }

    /// @dev What others may do, done by somebody without any role; to resolve a challenge is anybody's.
    function steal(uint256 seed) external {
        bytes32 before = _digestAll();
        for (uint256 i = 0; i < 6; ++i) {
            bytes memory data = _loot(_thefts++ % 32, _next(seed));
            (bool ok, ) = _call(THIEF, data);
            if (ok && bytes4(data) != IResolver.cancelNonce.selector) _isRobbed = true;
        }
        if (_digestAll() != before) _isRobbed = true;
    }

    function _loot(uint256 kind, uint256 seed) private view returns (bytes memory data) {
        bytes32 didHash = _didHash(_pick(seed, 0) % 3);
        if (kind == 0) return abi.encodeCall(IResolver.setMaturation, (1 hours));
        if (kind == 1) return abi.encodeCall(IResolver.setMaxTTL, (2 days));
        if (kind == 2) return abi.encodeCall(IResolver.addIssuer, (THIEF));
        if (kind == 3) return abi.encodeCall(Ownable2Step.transferOwnership, (THIEF));
        if (kind == 4) return abi.encodeCall(Ownable2Step.acceptOwnership, ());
        if (kind == 5) return abi.encodeCall(IResolver.cancelNonce, (_pick(seed, 1)));
        if (kind == 6) return abi.encodeCall(IResolver.attestDataHash, (didHash, _dataHash(0), 0));
        if (kind == 7) return abi.encodeCall(IResolver.revokeDataHash, (didHash, _dataHash(0)));
        if (kind == 8) return abi.encodeCall(IResolver.attestDID, (didHash, THIEF, 0));
        (, data) = _plan(kind < 12 ? 14 + (kind % 2) : kind % 12, seed);
    }

    /// @dev What may come between a signature and its use; nothing for half of the kinds.
    function _interfere(Signed memory signed, uint256 kind) private {
        address issuer = signed.signature.issuer;
        if (kind < 2) _cancel(signed.signature);
        else if (kind < 4) _act(_next(kind));
        else if (kind < 6) _authoriseAgain(issuer);
        else if (kind < 8) _takeBackDirectly(issuer, signed);
    }

    function _authoriseAgain(address issuer) private {
        _call(_account(OWNER), abi.encodeCall(IResolver.removeIssuer, (issuer)));
        _call(_account(OWNER), abi.encodeCall(IResolver.addIssuer, (issuer)));
    }

    /// @dev An issuer attests what it has signed, and revokes that.
    function _takeBackDirectly(address issuer, Signed memory signed) private {
        (bytes32 didHash, bytes32 subject) = (signed.item.didHash, signed.item.dataHash);
        if (signed.isOfDID) {
            address controller = address(uint160(uint256(subject)));
            _call(issuer, abi.encodeCall(IResolver.attestDID, (didHash, controller, 0)));
            _call(issuer, abi.encodeCall(IResolver.revokeDID, (didHash, controller)));
        } else {
            _call(issuer, abi.encodeCall(IResolver.attestDataHash, (didHash, subject, 0)));
            _call(issuer, abi.encodeCall(IResolver.revokeDataHash, (didHash, subject)));
        }
    }

    /// @dev An issuer attests anew a controller who does not count, one who counts vouches for it or rejects it, and
    /// then one of them may be revoked and attested again, after the other. When all of them count, one has to go.
    function _admit(uint256 seed) private {
        bytes32 didHash = _didHash(_pick(seed, 0) % 3);
        address issuer = _anIssuer(_pick(seed, 1));
        (address elder, bool isLed) = _find(didHash, _pick(seed, 3), true);
        if (!isLed) {
            if (_first[didHash] != address(0)) elder = _first[didHash];
            _call(issuer, abi.encodeCall(IResolver.attestDID, (didHash, elder, 0)));
        }
        (address newcomer, bool isNew) = _find(didHash, _pick(seed, 2), false);
        if (!isNew) return _revokeAll(didHash, newcomer);
        _revokeAll(didHash, newcomer);
        _call(issuer, abi.encodeCall(IResolver.attestDID, (didHash, newcomer, 0)));
        bytes memory data =
            _pick(seed, 4) % 2 == 0
                ? abi.encodeCall(IResolver.vouchController, (didHash, newcomer))
                : abi.encodeCall(IResolver.rejectController, (didHash, newcomer));
        _call(elder, data);
        _compare();

        VM.warp(block.timestamp + (_pick(seed, 5) % 2) * 1 hours);
        if (_pick(seed, 6) % 4 > 1) return;
        bool isElder = _pick(seed, 6) % 4 == 1;
        (address restarted, address other) = isElder ? (elder, newcomer) : (newcomer, elder);
        _revokeAll(didHash, restarted);
        _call(issuer, abi.encodeCall(IResolver.attestDID, (didHash, other, 0)));
        _call(issuer, abi.encodeCall(IResolver.attestDID, (didHash, restarted, 0)));
    }

    function _revokeAll(bytes32 didHash, address controller) private {
        for (uint256 i = 1; i <= LAST_ISSUER; ++i) {
            _call(_account(i), abi.encodeCall(IResolver.revokeDID, (didHash, controller)));
        }
    }

    /// @dev An issuer; when none is left, one is authorised.
    function _anIssuer(uint256 start) private returns (address issuer) {
        for (uint256 i = 0; i < LAST_ISSUER; ++i) {
            issuer = _account(1 + ((start + i) % LAST_ISSUER));
            if (_authorisation[issuer] != 0) return issuer;
        }
        _call(_account(OWNER), abi.encodeCall(IResolver.addIssuer, (issuer)));
    }

    /// @dev A controller that counts, or one that does not; any when there is none.
    function _find(
        bytes32 didHash,
        uint256 start,
        bool isToCount
    ) private view returns (address controller, bool isFound) {
        for (uint256 i = 0; i < ACCOUNTS - FIRST && !isFound; ++i) {
            controller = _controller(start + i);
            isFound = IResolver(resolver).checkDID(didHash, controller) == isToCount;
        }
    }

    function _stateDataHash(uint256 seed) private {
        address issuer = _account(1 + (_pick(seed, 0) % LAST_ISSUER));
        (bytes32 didHash, bytes32 dataHash) = (_didHash(_pick(seed, 1) % 3), _dataHash(_pick(seed, 2) % 2));
        uint64 expiresAt = _pick(seed, 3) % 2 == 0 ? 0 : uint64(block.timestamp + 1 days);
        bytes memory data =
            _pick(seed, 4) % 3 == 0
                ? abi.encodeCall(IResolver.revokeDataHash, (didHash, dataHash))
                : abi.encodeCall(IResolver.attestDataHash, (didHash, dataHash, expiresAt));
        _call(issuer, data);
    }

    function _govern(uint256 seed) private {
        if (_pick(seed, 1) % 4 < 2) return _authoriseAgain(_account(1 + (_pick(seed, 0) % LAST_ISSUER)));
        bool isUsual = _pick(seed, 0) % 2 == 0;
        bytes memory data =
            _pick(seed, 1) % 4 == 2
                ? abi.encodeCall(IResolver.setMaturation, (isUsual ? MATURATION : 3 days))
                : abi.encodeCall(IResolver.setMaxTTL, (isUsual ? 365 days : 100 days));
        _call(_account(OWNER), data);
    }

    function _next(uint256 seed) private returns (uint256) {
        return uint256(keccak256(abi.encode(seed, ++_steps)));
    }

    function _compare() private {
        for (uint256 did = 0; did < DIDS; ++did) {
            bytes32 didHash = _didHash(did);
            for (uint256 i = FIRST; i < ACCOUNTS; ++i) {
                bool counts = IResolver(resolver).checkDID(didHash, _account(i));
                if (counts != resolverTwin.checkDID(didHash, _account(i))) _isAtOdds = true;
            }
        }
    }

    /// @dev All that can be read of the known DIDs, accounts and limits.
    function _digestAll() private view returns (bytes32 all) {
        IResolver subject = IResolver(resolver);
        address owner = Ownable2Step(resolver).owner();
        address pendingOwner = Ownable2Step(resolver).pendingOwner();
        all = keccak256(
            abi.encode(subject.getIssuers(), subject.maxTTL(), subject.maturation(), owner, pendingOwner)
        );
        for (uint256 did = 0; did < DIDS; ++did) {
            all = keccak256(abi.encode(all, subject.firstController(_didHash(did))));
            for (uint256 i = FIRST; i <= ACCOUNTS; ++i) all = _digest(all, _didHash(did), i);
            for (uint256 i = 0; i < 2; ++i) {
                all = keccak256(
                    abi.encode(all, subject.getDataHashAttestations(_didHash(did), _dataHash(i)))
                );
            }
        }
    }

    /// @dev What can be read of a controller, or of the thief, who stands behind the last one.
    function _digest(bytes32 all, bytes32 didHash, uint256 index) private view returns (bytes32) {
        IResolver subject = IResolver(resolver);
        address account = index < ACCOUNTS ? _account(index) : THIEF;
        all = keccak256(
            abi.encode(
                all,
                subject.getController(didHash, account),
                subject.getDIDAttestations(didHash, account),
                subject.ownershipScore(didHash, account)
            )
        );
        for (uint256 i = FIRST; i < ACCOUNTS; ++i) {
            all = keccak256(
                abi.encode(
                    all,
                    subject.getChallenge(didHash, account, _account(i)),
                    subject.getChallenge(didHash, _account(i), account)
                )
            );
        }
        return all;
    }
}
