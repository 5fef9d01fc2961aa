// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IssuerSignatures} from "./base/IssuerSignatures.sol";
import {ResolverPolicy} from "./base/ResolverPolicy.sol";
import {IResolver} from "./interfaces/IResolver.sol";
import {DIDControl, Tally} from "./libraries/DIDControl.sol";
import {Challenge, DIDRecord} from "./libraries/DIDRecord.sol";
import {Issuer} from "./libraries/Issuers.sol";
import {Run} from "./libraries/Run.sol";
import {Statement} from "./libraries/Statement.sol";

/// @title Resolver of the App Registry with a store of attestations
contract ResolverWithStore is ResolverPolicy, IssuerSignatures {
    using DIDControl for DIDRecord;

    mapping(bytes32 didHash => DIDRecord) private _dids;
    mapping(bytes32 didHash => mapping(bytes32 dataHash => mapping(uint16 issuer => Run)))
        private _dataHashes;

    /// @param owner_ Who authorises issuers and sets the limits.
    /// @param maturation_ Time until a newcomer's attestation settles, in seconds, 1 hour to 30 days.
    constructor(address owner_, uint64 maturation_) ResolverPolicy(owner_, maturation_) {}

    /// @inheritdoc IResolver
    function attestDID(bytes32 didHash, address controller, uint64 expiresAt) external {
        _attestDID(_direct(false, false), didHash, controller, expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDID(bytes32 didHash, address controller) external {
        _revokeDID(_direct(true, false), didHash, controller);
    }

    /// @inheritdoc IResolver
    function attestDataHash(bytes32 didHash, bytes32 dataHash, uint64 expiresAt) external {
        _attestDataHash(_direct(false, false), didHash, dataHash, expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDataHash(bytes32 didHash, bytes32 dataHash) external {
        _revokeDataHash(_direct(true, false), didHash, dataHash);
    }

    /// @inheritdoc IResolver
    function attestDIDBatch(DIDAttestation[] calldata attestations) external {
        Statement memory by = _direct(false, true);
        for (uint256 i = 0; i < attestations.length; ++i) {
            DIDAttestation calldata item = attestations[i];
            _attestDID(by, item.didHash, item.controller, item.expiresAt);
        }
    }

    /// @inheritdoc IResolver
    function revokeDIDBatch(DIDAttestation[] calldata attestations) external {
        Statement memory by = _direct(true, true);
        for (uint256 i = 0; i < attestations.length; ++i) {
            _revokeDID(by, attestations[i].didHash, attestations[i].controller);
        }
    }

    /// @inheritdoc IResolver
    function attestDataHashBatch(DataHashAttestation[] calldata attestations) external {
        Statement memory by = _direct(false, true);
        for (uint256 i = 0; i < attestations.length; ++i) {
            DataHashAttestation calldata item = attestations[i];
            _attestDataHash(by, item.didHash, item.dataHash, item.expiresAt);
        }
    }

    /// @inheritdoc IResolver
    function revokeDataHashBatch(DataHashAttestation[] calldata attestations) external {
        Statement memory by = _direct(true, true);
        for (uint256 i = 0; i < attestations.length; ++i) {
            _revokeDataHash(by, attestations[i].didHash, attestations[i].dataHash);
        }
    }

    /// @inheritdoc IResolver
    function attestDIDBySignature(
        DIDAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external {
        Statement memory by = _signed(signature, _hashAttestDID(attestation, signature), false);
        _attestDID(by, attestation.didHash, attestation.controller, attestation.expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDIDBySignature(
        bytes32 didHash,
        address controller,
        IssuerSignature calldata signature
    ) external {
        _revokeDID(
            _signed(signature, _hashRevokeDID(didHash, controller, signature), true),
            didHash,
            controller
        );
    }

    /// @inheritdoc IResolver
    function attestDataHashBySignature(
        DataHashAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external {
        Statement memory by = _signed(signature, _hashAttestDataHash(attestation, signature), false);
        _attestDataHash(by, attestation.didHash, attestation.dataHash, attestation.expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDataHashBySignature(
        bytes32 didHash,
        bytes32 dataHash,
        IssuerSignature calldata signature
    ) external {
        _revokeDataHash(
            _signed(signature, _hashRevokeDataHash(didHash, dataHash, signature), true),
            didHash,
            dataHash
        );
    }

    /// @inheritdoc IResolver
    function endDIDAttestation(bytes32 didHash, address controller, address issuer) external onlyOwner {
        uint16 number = _requireInactive(issuer);
        DIDRecord storage did = _dids[didHash];
        did.expand(controller);
        _end(did.controllers[controller].runs[number], number, didHash, issuer);
        emit DIDAttestationEnded(didHash, controller, issuer);
    }

    /// @inheritdoc IResolver
    function endDataHashAttestation(bytes32 didHash, bytes32 dataHash, address issuer) external onlyOwner {
        uint16 number = _requireInactive(issuer);
        _end(_dataHashes[didHash][dataHash][number], number, didHash, issuer);
        emit DataHashAttestationEnded(didHash, dataHash, issuer);
    }

    /// @inheritdoc IResolver
    function vouchController(bytes32 didHash, address newcomer) external {
        bool isWithdrawn = _dids[didHash].vouch(didHash, newcomer, msg.sender, _issuers);
        if (isWithdrawn) emit ObjectionWithdrawn(didHash, newcomer, msg.sender);
        emit ControllerVouched(didHash, newcomer, msg.sender);
    }

    /// @inheritdoc IResolver
    function objectToController(bytes32 didHash, address account) external {
        address replaced = _dids[didHash].object(didHash, account, msg.sender, _issuers);
        emit ControllerObjected(didHash, account, msg.sender, replaced);
    }

    /// @inheritdoc IResolver
    function withdrawObjection(bytes32 didHash, address account) external {
        if (!_dids[didHash].withdraw(account, msg.sender)) revert NotObjected(didHash, account, msg.sender);
        emit ObjectionWithdrawn(didHash, account, msg.sender);
    }

    /// @inheritdoc IResolver
    function challengeDID(bytes32 didHash, address incumbent) external {
        DIDRecord storage did = _dids[didHash];
        if (incumbent == msg.sender) revert SelfReference(msg.sender);
        if (did.tallyOf(msg.sender, block.timestamp, _issuers).live == 0) {
            revert NotAttested(didHash, msg.sender);
        }
        if (_resistance(did, incumbent) == 0) revert NotAttested(didHash, incumbent);
        if (getChallenge(didHash, incumbent, msg.sender).openedAt != 0) {
            revert ChallengeAlreadyOpen(didHash, incumbent, msg.sender);
        }
        did.challenges[incumbent][msg.sender] = Challenge(uint40(block.timestamp), uint40(challengePeriod));
        uint64 resolvableFrom = uint64(block.timestamp) + challengePeriod;
        emit DIDChallenged(didHash, incumbent, msg.sender, resolvableFrom, resolvableFrom + challengePeriod);
    }

    /// @inheritdoc IResolver
    function resolveChallenge(bytes32 didHash, address incumbent, address challenger) external {
        DIDRecord storage did = _dids[didHash];
        ChallengeView memory challenge = getChallenge(didHash, incumbent, challenger);
        if (challenge.openedAt == 0) revert ChallengeNotOpen(didHash, incumbent, challenger);
        if (block.timestamp < challenge.resolvableFrom) {
            revert ChallengeNotResolvable(challenge.resolvableFrom);
        }
        uint256 score = did.tallyOf(challenger, challenge.openedAt, _issuers).settled;
        uint256 weight = _resistance(did, incumbent);
        if (score <= weight) revert ChallengeNotWon(score, weight);
        delete did.challenges[incumbent][challenger];
        did.oust(incumbent, _issuers);
        emit ControllerOusted(didHash, incumbent, challenger, score, weight);
    }

    /// @inheritdoc IResolver
    function checkDID(bytes32 didHash, address controller) external view returns (bool) {
        return _dids[didHash].counts(controller, _issuers);
    }

    /// @inheritdoc IResolver
    function checkDataHashAttestation(bytes32 didHash, bytes32 dataHash) external view returns (bool) {
        uint16[] memory numbers = _issuers.seated();
        for (uint256 i = 0; i < numbers.length; ++i) {
            if (_loadDataHash(didHash, dataHash, numbers[i]).isLive()) return true;
        }
        return false;
    }

    /// @inheritdoc IResolver
    function countedSince(bytes32 didHash, address controller, uint64 since) external view returns (bool) {
        return _dids[didHash].countedSince(controller, since, _issuers);
    }

    /// @inheritdoc IResolver
    function getController(
        bytes32 didHash,
        address controller
    ) external view returns (ControllerView memory) {
        return _dids[didHash].describe(controller, _issuers);
    }

    /// @inheritdoc IResolver
    function getDIDAttestations(
        bytes32 didHash,
        address controller
    ) external view returns (AttestationView[] memory) {
        return _describe(_dids[didHash].runsOf(controller, _issuers));
    }

    /// @inheritdoc IResolver
    function getDataHashAttestations(
        bytes32 didHash,
        bytes32 dataHash
    ) external view returns (AttestationView[] memory) {
        uint16[] memory numbers = _issuers.seated();
        Run[] memory runs = new Run[](numbers.length);
        for (uint256 i = 0; i < numbers.length; ++i) runs[i] = _loadDataHash(didHash, dataHash, numbers[i]);
        return _describe(runs);
    }

    /// @inheritdoc IResolver
    function getObjections(bytes32 didHash, address account) external view returns (ObjectionView[] memory) {
        return _dids[didHash].describeObjections(account, _issuers);
    }

    /// @inheritdoc IResolver
    function isClaimed(bytes32 didHash) external view returns (bool) {
        return _dids[didHash].isClaimed();
    }

    /// @inheritdoc IResolver
    function ownershipScore(bytes32 didHash, address controller) external view returns (uint256) {
        return _dids[didHash].tallyOf(controller, block.timestamp, _issuers).settled;
    }

    /// @inheritdoc IResolver
    function getChallenge(
        bytes32 didHash,
        address incumbent,
        address challenger
    ) public view returns (ChallengeView memory challenge) {
        Challenge memory stored = _dids[didHash].challenges[incumbent][challenger];
        uint256 voidFrom = uint256(stored.openedAt) + 2 * uint256(stored.period);
        if (block.timestamp >= voidFrom) return challenge;
        challenge.openedAt = stored.openedAt;
        challenge.resolvableFrom = stored.openedAt + stored.period;
        challenge.voidFrom = uint64(voidFrom);
    }

    function _attestDID(Statement memory by, bytes32 didHash, address controller, uint64 expiresAt) private {
        _requirePair(didHash, controller);
        DIDRecord storage did = _dids[didHash];
        if (did.canClaim(by.statedAt)) {
            uint64 end = _expiry(by, expiresAt);
            did.claim(controller, by.terms.number, by.statedAt, end);
            uint64 timestamp = uint64(block.timestamp);
            emit DIDAttested(didHash, controller, by.issuer, uint64(by.statedAt), timestamp, timestamp, end);
            return;
        }
        Run memory run = did.load(controller, by.terms.number);
        if (!by.isNewest(run, did.controllers[controller].oustedAt, false)) return;
        expiresAt = _expiry(by, expiresAt);
        if (run.endedAt != 0 && !run.isEndFinal && block.timestamp < run.endedAt + by.terms.maturation) {
            if (by.isBatch) return;
            revert RecentlyRevoked(run.endedAt + by.terms.maturation);
        }
        run.attest(by.statedAt, expiresAt, block.timestamp + (did.isClaimed() ? by.terms.maturation : 0));
        did.save(controller, by.terms.number, run);
        emit DIDAttested(
            didHash,
            controller,
            by.issuer,
            run.statedAt,
            run.startedAt,
            run.settlesAt,
            run.expiresAt
        );
    }

    function _revokeDID(Statement memory by, bytes32 didHash, address controller) private {
        _requirePair(didHash, controller);
        DIDRecord storage did = _dids[didHash];
        uint256 oustedAt = did.controllers[controller].oustedAt;
        Run memory run = did.load(controller, by.terms.number);
        if (!by.isNewest(run, oustedAt, true)) return;
        run.revoke(by.statedAt);
        did.save(controller, by.terms.number, run);
        emit DIDRevoked(didHash, controller, by.issuer, run.statedAt);
    }

    function _attestDataHash(
        Statement memory by,
        bytes32 didHash,
        bytes32 dataHash,
        uint64 expiresAt
    ) private {
        if (didHash == 0 || dataHash == 0) revert ZeroHash();
        Run memory run = _dataHashes[didHash][dataHash][by.terms.number];
        if (!by.isNewest(run, 0, false)) return;
        run.attest(by.statedAt, _expiry(by, expiresAt), block.timestamp);
        _dataHashes[didHash][dataHash][by.terms.number] = run;
        emit DataHashAttested(didHash, dataHash, by.issuer, run.statedAt, run.startedAt, run.expiresAt);
    }

    function _revokeDataHash(Statement memory by, bytes32 didHash, bytes32 dataHash) private {
        if (didHash == 0 || dataHash == 0) revert ZeroHash();
        Run memory run = _dataHashes[didHash][dataHash][by.terms.number];
        if (!by.isNewest(run, 0, true)) return;
        run.revoke(by.statedAt);
        _dataHashes[didHash][dataHash][by.terms.number] = run;
        emit DataHashRevoked(didHash, dataHash, by.issuer, run.statedAt);
    }

    /// @dev What a challenger's score must exceed.
    function _resistance(DIDRecord storage did, address incumbent) private view returns (uint256) {
        Tally memory tally = did.tallyOf(incumbent, block.timestamp, _issuers);
        return tally.standing + tally.live - tally.settled;
    }

    function _end(Run storage run, uint16 number, bytes32 didHash, address issuer) private {
        if (run.startedAt == 0) revert NothingToEnd(didHash, issuer);
        run.finish(_issuers.byNumber[number].distrustedSince);
    }

    /// @dev A statement that the caller makes itself.
    function _direct(bool isRevocation, bool isBatch) private view returns (Statement memory) {
        Issuer memory issuer = _issuers.authorize(msg.sender, isRevocation);
        return Statement(msg.sender, block.timestamp, false, isBatch, issuer);
    }

    /// @dev A statement that an issuer signed.
    function _signed(
        IssuerSignature calldata signature,
        bytes32 structHash,
        bool isRevocation
    ) private view returns (Statement memory) {
        Issuer memory issuer = _issuers.authorize(signature.issuer, isRevocation);
        _checkSignature(signature, structHash, issuer.addedAt);
        return Statement(signature.issuer, signature.statedAt, true, false, issuer);
    }

    function _requireInactive(address issuer) private view returns (uint16) {
        Issuer memory known = _issuers.byAccount[issuer];
        if (known.status == IssuerStatus.Unknown) revert NotIssuer(issuer);
        if (known.status == IssuerStatus.Active) revert IssuerActive(issuer);
        return known.number;
    }

    function _loadDataHash(
        bytes32 didHash,
        bytes32 dataHash,
        uint16 number
    ) private view returns (Run memory run) {
        run = _dataHashes[didHash][dataHash][number];
        if (run.statedAt != 0) run.restrict(_issuers.byNumber[number].distrustedSince);
    }

    function _describe(Run[] memory runs) private view returns (AttestationView[] memory views) {
        uint16[] memory numbers = _issuers.seated();
        uint256 length = 0;
        for (uint256 i = 0; i < runs.length; ++i) {
            if (runs[i].statedAt != 0) ++length;
        }
        views = new AttestationView[](length);
        for (uint256 i = runs.length; length > 0;) {
            Run memory run = runs[--i];
            if (run.statedAt == 0) continue;
            views[--length] = AttestationView({
                issuer: _issuers.byNumber[numbers[i]].account,
                startedAt: run.startedAt,
                statedAt: run.statedAt,
                settlesAt: run.settlesAt,
                expiresAt: run.expiresAt,
                endedAt: run.endedAt,
                vouched: run.vouched,
                live: run.isLive(),
                settled: run.isSettled(),
                held: run.isHeld()
            });
        }
    }

    /// @dev When an attestation expires; 0 means the maximum lifetime.
    function _expiry(Statement memory by, uint64 expiresAt) private view returns (uint64) {
        uint64 latest = uint64(by.statedAt + by.terms.maxTTL);
        if (expiresAt == 0) expiresAt = latest;
        if (expiresAt <= block.timestamp) revert ExpiresInPast(expiresAt, uint64(block.timestamp));
        if (expiresAt > latest) revert ExpiresTooLate(expiresAt, latest);
        return expiresAt;
    }

    function _requirePair(bytes32 didHash, address controller) private pure {
        if (didHash == 0) revert ZeroHash();
        if (controller == address(0)) revert ZeroAddress();
    }
}
