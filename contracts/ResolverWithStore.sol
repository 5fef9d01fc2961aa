// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IssuerSignatures} from "./base/IssuerSignatures.sol";
import {Issuer, ResolverPolicy} from "./base/ResolverPolicy.sol";
import {ResolverReads} from "./base/ResolverReads.sol";
import {IResolver} from "./interfaces/IResolver.sol";
import {AccountRuns} from "./libraries/DIDControl.sol";
import {Controller, DIDRecord, DIDRecordLib} from "./libraries/DIDRecord.sol";
import {Run, RunState} from "./libraries/Run.sol";
import {Source, Statement} from "./libraries/Statement.sol";

/// @title Resolver of the App Registry with a store of attestations
contract ResolverWithStore is ResolverReads, IssuerSignatures {
    using DIDRecordLib for address;
    using DIDRecordLib for bytes32;

    /// @dev Longest time from a call until the end of a block that it sets, in seconds.
    uint64 private constant _MAX_BLOCK = 30 days;

    /// @param owner_ Account that adds, retires and distrusts issuers.
    /// @param maturation_ Time until an attestation on a claimed DID matures, in seconds, 1 hour to 7 days.
    /// @param challengePeriod_ Time until a challenge can be resolved, in seconds, 7 to 60 days.
    /// @param maxTTL_ Longest lifetime of an attestation, in seconds, 30 days to 2 years.
    constructor(
        address owner_,
        uint64 maturation_,
        uint64 challengePeriod_,
        uint64 maxTTL_
    ) ResolverPolicy(owner_, maturation_, challengePeriod_, maxTTL_) {}

    /// @inheritdoc IResolver
    function attestDID(bytes32 didHash, address controller, uint64 expiresAt) external {
        _stateDirectly(Statement(false, true, didHash, controller.toSubject(), expiresAt));
    }

    /// @inheritdoc IResolver
    function revokeDID(bytes32 didHash, address controller) external {
        _stateDirectly(Statement(true, true, didHash, controller.toSubject(), 0));
    }

    /// @inheritdoc IResolver
    function attestDataHash(bytes32 didHash, bytes32 dataHash, uint64 expiresAt) external {
        _stateDirectly(Statement(false, false, didHash, dataHash, expiresAt));
    }

    /// @inheritdoc IResolver
    function revokeDataHash(bytes32 didHash, bytes32 dataHash) external {
        _stateDirectly(Statement(true, false, didHash, dataHash, 0));
    }

    /// @inheritdoc IResolver
    function attestDIDBatch(DIDAttestation[] calldata attestations) external {
        _stateDIDs(false, attestations);
    }

    /// @inheritdoc IResolver
    function revokeDIDBatch(DIDAttestation[] calldata attestations) external {
        _stateDIDs(true, attestations);
    }

    /// @inheritdoc IResolver
    function attestDataHashBatch(DataHashAttestation[] calldata attestations) external {
        _stateDataHashes(false, attestations);
    }

    /// @inheritdoc IResolver
    function revokeDataHashBatch(DataHashAttestation[] calldata attestations) external {
        _stateDataHashes(true, attestations);
    }

    /// @inheritdoc IResolver
    function attestDIDBySignature(DIDAttestation calldata item, IssuerSignature calldata by) external {
        bytes32 subject = item.controller.toSubject();
        _stateSigned(Statement(false, true, item.didHash, subject, item.expiresAt), by);
    }

    /// @inheritdoc IResolver
    function revokeDIDBySignature(bytes32 didHash, address controller, IssuerSignature calldata by) external {
        _stateSigned(Statement(true, true, didHash, controller.toSubject(), 0), by);
    }

    /// @inheritdoc IResolver
    function attestDataHashBySignature(
        DataHashAttestation calldata item,
        IssuerSignature calldata by
    ) external {
        _stateSigned(Statement(false, false, item.didHash, item.dataHash, item.expiresAt), by);
    }

    /// @inheritdoc IResolver
    function revokeDataHashBySignature(
        bytes32 didHash,
        bytes32 dataHash,
        IssuerSignature calldata by
    ) external {
        _stateSigned(Statement(true, false, didHash, dataHash, 0), by);
    }

    /// @inheritdoc IResolver
    function endDIDAttestation(bytes32 didHash, address controller, address issuer) external onlyOwner {
        _endInactive(didHash, controller.toSubject(), true, issuer);
        emit DIDAttestationEnded(didHash, controller, issuer);
    }

    /// @inheritdoc IResolver
    function endDataHashAttestation(bytes32 didHash, bytes32 dataHash, address issuer) external onlyOwner {
        _endInactive(didHash, dataHash, false, issuer);
        emit DataHashAttestationEnded(didHash, dataHash, issuer);
    }

    /// @inheritdoc IResolver
    function blockController(bytes32 didHash, address account, uint64 until) external {
        bool isBlocked = _block(didHash, account, until, _blockWeight(didHash));
        if (!isBlocked) revert AccountInCharge(didHash, account);
    }

    /// @inheritdoc IResolver
    function blockControllerBatch(BlockRequest[] calldata requests) external {
        (uint256 weight, bool isAnyBlocked, uint256 free) = (0, false, 0);
        assembly ("memory-safe") {
            free := mload(0x40)
        }
        for (uint256 i = 0; i < requests.length; ++i) {
            // Nothing in the memory of an entry is read again, so the next one uses it and costs the same.
            assembly ("memory-safe") {
                mstore(0x40, free)
            }
            (bytes32 didHash, address account) = (requests[i].didHash, requests[i].account);
            // The weight is that of one DID. An attacker's weight on its own DID must not block anybody on another one.
            if (i == 0 || didHash != requests[i - 1].didHash) weight = _blockWeight(didHash);
            if (_block(didHash, account, requests[i].until, weight)) isAnyBlocked = true;
            else emit BlockSkipped(didHash, account, msg.sender);
        }
        if (!isAnyBlocked) revert NobodyBlocked();
    }

    /// @inheritdoc IResolver
    function unblockController(bytes32 didHash, address account) external {
        if (_issuersInCharge(didHash, msg.sender) == 0) revert NotInCharge(didHash, msg.sender);
        Controller storage blocked = _dids[didHash].controllers[account];
        if (blocked.blockedUntil <= block.timestamp) revert NotBlocked(didHash, account);
        blocked.blockedUntil = 0;
        emit ControllerUnblocked(didHash, account, msg.sender);
    }

    /// @inheritdoc IResolver
    function challengeDID(bytes32 didHash, address incumbent) external {
        if (incumbent == msg.sender) revert SelfReference(msg.sender);
        if (ownershipScore(didHash, msg.sender) == 0) revert NotAttested(didHash, msg.sender);
        if (_account(didHash, incumbent).resistance() == 0) revert NotAttested(didHash, incumbent);
        if (getChallenge(didHash, incumbent, msg.sender).openedAt != 0) {
            revert ChallengeAlreadyOpen(didHash, incumbent, msg.sender);
        }
        _dids[didHash].challenges[incumbent][msg.sender] = block.timestamp;
        uint64 resolvableFrom = uint64(block.timestamp) + challengePeriod;
        emit DIDChallenged(didHash, incumbent, msg.sender, resolvableFrom, resolvableFrom + challengePeriod);
    }

    /// @inheritdoc IResolver
    function resolveChallenge(bytes32 didHash, address incumbent, address challenger) external {
        ChallengeView memory challenge = getChallenge(didHash, incumbent, challenger);
        if (challenge.openedAt == 0) revert ChallengeNotOpen(didHash, incumbent, challenger);
        if (block.timestamp < challenge.resolvableFrom) {
            revert ChallengeNotResolvable(challenge.resolvableFrom);
        }
        AccountRuns memory account = _account(didHash, challenger);
        uint256 score = account.count(RunState.Matured, block.timestamp, challenge.openedAt);
        uint256 resistance = _account(didHash, incumbent).resistance();
        if (score <= resistance) revert ChallengeNotWon(score, resistance);
        delete _dids[didHash].challenges[incumbent][challenger];
        uint16[] memory issuers = _seats;
        for (uint256 i = 0; i < issuers.length; ++i) _end(didHash, incumbent.toSubject(), true, issuers[i]);
        // An issuer can't restore the incumbent with a statement that it signed before the challenge was won.
        _dids[didHash].controllers[incumbent].removedAt = uint64(block.timestamp);
        emit ControllerRemoved(didHash, incumbent, challenger, score, resistance);
    }

    function _stateDirectly(Statement memory what) private {
        _state(what, _authorize(msg.sender, what.isRevocation));
    }

    function _stateDIDs(bool isRevocation, DIDAttestation[] calldata items) private {
        Source memory by = _authorize(msg.sender, isRevocation);
        by.isBatch = true;
        for (uint256 i = 0; i < items.length; ++i) {
            bytes32 subject = items[i].controller.toSubject();
            _state(Statement(isRevocation, true, items[i].didHash, subject, items[i].expiresAt), by);
        }
    }

    function _stateDataHashes(bool isRevocation, DataHashAttestation[] calldata items) private {
        Source memory by = _authorize(msg.sender, isRevocation);
        by.isBatch = true;
        for (uint256 i = 0; i < items.length; ++i) {
            bytes32 subject = items[i].dataHash;
            _state(Statement(isRevocation, false, items[i].didHash, subject, items[i].expiresAt), by);
        }
    }

    function _stateSigned(Statement memory what, IssuerSignature calldata signature) private {
        Source memory by = _authorize(signature.issuer, what.isRevocation);
        _verify(what, signature, by.addedAt);
        (by.isSigned, by.statedAt) = (true, signature.statedAt);
        _state(what, by);
    }

    /// @dev Returns the source of a direct statement. Reverts unless the issuer may attest or revoke.
    function _authorize(address issuer, bool isRevocation) private view returns (Source memory) {
        Issuer storage known = _issuers[issuer];
        IssuerStatus status = known.status;
        bool mayRevoke = isRevocation && status == IssuerStatus.Retired;
        if (status != IssuerStatus.Active && !mayRevoke) revert NotIssuer(issuer);
        return Source(issuer, known.number, known.addedAt, uint64(block.timestamp), false, false);
    }

    /// @dev Records a statement, unless the issuer already made a newer one about the pair.
    function _state(Statement memory what, Source memory by) private {
        (bytes32 subject, bool isController) = (what.subject, what.isController);
        if (what.didHash == 0 || (subject == 0 && !isController)) revert ZeroHash();
        if (subject == 0) revert ZeroAddress();
        DIDRecord storage did = _dids[what.didHash];
        if (isController && !what.isRevocation && did.canClaim(by.statedAt)) return _claim(what, by, did);
        Run memory run = did.load(subject, isController, by.number);
        if (!_isNewest(what, by, run)) return;
        if (what.isRevocation) run.revoke(isController);
        else if (!_attest(what, by, run)) return;
        (run.statedAt, run.isSigned) = (uint32(by.statedAt), by.isSigned);
        did.save(subject, isController, by.number, run);
        _emitStatement(what, by, run);
    }

    /// @dev Records the DID's first run in its own slot.
    function _claim(Statement memory what, Source memory by, DIDRecord storage did) private {
        uint64 expiresAt = _expiry(what, by);
        did.claim(what.subject, expiresAt, by);
        (address account, uint64 timestamp) = (what.subject.toAddress(), uint64(block.timestamp));
        emit DIDAttested(what.didHash, account, by.issuer, by.statedAt, timestamp, timestamp, expiresAt);
    }

    /// @dev Returns true if the statement is newer than the issuer's last one about the pair. An older statement
    /// reverts if it contradicts that one or isn't newer than a lost challenge. A batch returns false instead.
    function _isNewest(Statement memory what, Source memory by, Run memory run) private view returns (bool) {
        uint64 removedAt = 0;
        if (what.isController)
            removedAt = _dids[what.didHash].controllers[what.subject.toAddress()].removedAt;
        bool isStale = by.statedAt <= removedAt;
        // A direct statement is newer than every statement that is already on the chain.
        if (!isStale && (!by.isSigned || by.statedAt > run.statedAt)) return true;
        bool isRevoked = run.revokedAt != 0;
        // If an issuer signs two statements for the same second, the revocation wins: a wrong revocation does less harm
        // than a wrong attestation.
        bool isTie = by.statedAt == run.statedAt && run.isSigned;
        if (!isStale && isTie && what.isRevocation && !isRevoked) return true;
        if (by.isBatch || (!isStale && isRevoked == what.isRevocation)) return false;
        revert StaleStatement(by.statedAt, run.statedAt > removedAt ? run.statedAt : removedAt);
    }

    /// @dev Renews a run or begins one. Returns false if a batch skips the attestation.
    function _attest(Statement memory what, Source memory by, Run memory run) private view returns (bool) {
        uint64 expiresAt = _expiry(what, by);
        uint64 attestableFrom = run.revokedAt == 0 ? 0 : run.revokedAt + maturation;
        uint64 maturesAt = what.isController ? _maturity(what.didHash) : uint64(block.timestamp);
        bool isRenewal = run.isRenewable(what.isController);
        bool isTooEarly = block.timestamp < attestableFrom;
        bool isTooShort = !isRenewal && expiresAt <= maturesAt;
        if (by.isBatch && (isTooEarly || isTooShort)) return false;
        if (isTooEarly) revert RecentlyRevoked(attestableFrom);
        if (isTooShort) revert ExpiresBeforeMaturing(expiresAt, maturesAt);
        if (isRenewal) run.renew(expiresAt);
        else run.begin(expiresAt, maturesAt);
        return true;
    }

    /// @dev Returns the time at which a controller's run that begins now would mature.
    function _maturity(bytes32 didHash) private view returns (uint64) {
        uint256 claim = _dids[didHash].claimedAt();
        if (claim == 0) return uint64(block.timestamp);
        // No account can be blocked in the first `maturation` after the claim. A run that begins in that time matures
        // `maturation` after it ends, so that the first controller has time to block.
        return uint64(Math.max(block.timestamp, claim + maturation)) + maturation;
    }

    /// @dev Returns the expiry of an attestation. Reverts with `ExpiresInPast` or `ExpiresTooLate`.
    function _expiry(Statement memory what, Source memory by) private view returns (uint64 expiresAt) {
        uint64 latest = by.statedAt + maxTTL;
        expiresAt = what.expiresAt == 0 ? latest : what.expiresAt;
        if (expiresAt <= block.timestamp) revert ExpiresInPast(expiresAt, uint64(block.timestamp));
        if (expiresAt > latest) revert ExpiresTooLate(expiresAt, latest);
    }

    function _emitStatement(Statement memory what, Source memory by, Run memory run) private {
        (bytes32 didHash, address controller) = (what.didHash, what.subject.toAddress());
        (address issuer, uint64 statedAt) = (by.issuer, by.statedAt);
        uint64 startedAt = run.startedAt;
        if (what.isController && what.isRevocation) {
            emit DIDRevoked(didHash, controller, issuer, statedAt);
        } else if (what.isRevocation) {
            emit DataHashRevoked(didHash, what.subject, issuer, statedAt);
        } else if (what.isController) {
            emit DIDAttested(didHash, controller, issuer, statedAt, startedAt, run.maturesAt, run.expiresAt);
        } else {
            emit DataHashAttested(didHash, what.subject, issuer, statedAt, startedAt, run.expiresAt);
        }
    }

    /// @dev Returns the weight of a block by the caller, who must be in charge of the DID.
    function _blockWeight(bytes32 didHash) private view returns (uint256 weight) {
        weight = _issuersInCharge(didHash, msg.sender);
        if (weight == 0) revert NotInCharge(didHash, msg.sender);
    }

    /// @dev Blocks an account. Returns false if it is in charge of the DID.
    function _block(bytes32 didHash, address account, uint64 until, uint256 weight) private returns (bool) {
        if (account == msg.sender) revert SelfReference(msg.sender);
        uint64 timestamp = uint64(block.timestamp);
        uint64 blockableFrom = uint64(_dids[didHash].claimedAt()) + maturation;
        if (timestamp < blockableFrom) revert TooEarlyToBlock(blockableFrom);
        uint64 max = timestamp + _MAX_BLOCK;
        if (until <= timestamp || until > max) revert InvalidBlockEnd(until, max);
        AccountRuns memory runs = _account(didHash, account);
        if (runs.unblocked(RunState.InCharge, timestamp) > 0) return false;
        Controller memory next = runs.controller;
        if (next.blockedUntil <= timestamp) (next.blockedAt, next.weight) = (timestamp, 0);
        if (next.blockedUntil < until) next.blockedUntil = until;
        if (next.weight < weight) next.weight = uint64(weight);
        _dids[didHash].controllers[account] = next;
        emit ControllerBlocked(didHash, account, msg.sender, next.blockedAt, next.blockedUntil, next.weight);
        return true;
    }

    /// @dev Returns the number of issuers whose runs put the account in charge of the DID.
    function _issuersInCharge(bytes32 didHash, address account) private view returns (uint256) {
        return _account(didHash, account).unblocked(RunState.InCharge, block.timestamp);
    }

    /// @dev Ends the run of an inactive issuer about a subject.
    function _endInactive(bytes32 didHash, bytes32 subject, bool isController, address issuer) private {
        Issuer memory known = _issuers[issuer];
        if (known.status == IssuerStatus.Unknown) revert NotIssuer(issuer);
        if (known.status == IssuerStatus.Active) revert IssuerActive(issuer);
        if (!_end(didHash, subject, isController, known.number)) revert NothingToEnd(didHash, issuer);
    }

    /// @dev Ends an issuer's run about a subject for good. Returns false if the issuer never attested the subject.
    function _end(bytes32 didHash, bytes32 subject, bool isController, uint16 issuer) private returns (bool) {
        DIDRecord storage did = _dids[didHash];
        Run memory run = did.load(subject, isController, issuer);
        if (run.startedAt == 0) return false;
        run.finalize(_trust[issuer].distrustedSince);
        did.save(subject, isController, issuer, run);
        return true;
    }
}
