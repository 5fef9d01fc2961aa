// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IssuerPolicy} from "./base/IssuerPolicy.sol";
import {IssuerSignatures} from "./base/IssuerSignatures.sol";
import {IResolver} from "./interfaces/IResolver.sol";
import {Attestation} from "./libraries/Attestation.sol";
import {AttestationLanes} from "./libraries/AttestationLanes.sol";
import {AttestationViews} from "./libraries/AttestationViews.sol";
import {Challenges} from "./libraries/Challenges.sol";
import {DIDControl} from "./libraries/DIDControl.sol";
import {DIDRecord} from "./libraries/DIDRecord.sol";
import {IssuerEpochs} from "./libraries/IssuerEpochs.sol";
import {Seat} from "./libraries/Seat.sol";
import {Statement, StatementLibrary} from "./libraries/Statement.sol";

/// @title Resolver of the App Registry with a store of attestations
contract ResolverWithStore is IssuerPolicy, IssuerSignatures {
    using Challenges for DIDRecord;
    using DIDControl for DIDRecord;

    mapping(bytes32 didHash => DIDRecord) private _dids;
    mapping(bytes32 didHash => mapping(bytes32 dataHash => AttestationLanes)) private _dataHashes;

    /// @param owner_ Who authorises issuers and sets the limits.
    /// @param maturation_ Wait of a newcomer in seconds, 1 hour to 30 days.
    constructor(address owner_, uint64 maturation_) IssuerPolicy(owner_, maturation_) {}

    /// @inheritdoc IResolver
    function attestDID(bytes32 didHash, address controller, uint64 expiresAt) external {
        _stateDirectly(StatementLibrary.ATTEST_DID, didHash, _subjectOf(controller), expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDID(bytes32 didHash, address controller) external {
        _stateDirectly(StatementLibrary.REVOKE_DID, didHash, _subjectOf(controller), 0);
    }

    /// @inheritdoc IResolver
    function attestDataHash(bytes32 didHash, bytes32 dataHash, uint64 expiresAt) external {
        _stateDirectly(StatementLibrary.ATTEST_DATA_HASH, didHash, dataHash, expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDataHash(bytes32 didHash, bytes32 dataHash) external {
        _stateDirectly(StatementLibrary.REVOKE_DATA_HASH, didHash, dataHash, 0);
    }

    /// @inheritdoc IResolver
    function attestDIDBatch(DIDAttestation[] calldata attestations) external {
        _stateEach(StatementLibrary.ATTEST_DID, _subjectsOf(attestations));
    }

    /// @inheritdoc IResolver
    function revokeDIDBatch(DIDAttestation[] calldata attestations) external {
        _stateEach(StatementLibrary.REVOKE_DID, _subjectsOf(attestations));
    }

    /// @inheritdoc IResolver
    function attestDataHashBatch(DataHashAttestation[] calldata attestations) external {
        _stateEach(StatementLibrary.ATTEST_DATA_HASH, attestations);
    }

    /// @inheritdoc IResolver
    function revokeDataHashBatch(DataHashAttestation[] calldata attestations) external {
        _stateEach(StatementLibrary.REVOKE_DATA_HASH, attestations);
    }

    /// @inheritdoc IResolver
    function attestDIDBySignature(
        DIDAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external {
        bytes32 subject = _subjectOf(attestation.controller);
        _stateBySignature(
            StatementLibrary.ATTEST_DID,
            attestation.didHash,
            subject,
            attestation.expiresAt,
            signature
        );
    }

    /// @inheritdoc IResolver
    function revokeDIDBySignature(
        bytes32 didHash,
        address controller,
        IssuerSignature calldata signature
    ) external {
        _stateBySignature(StatementLibrary.REVOKE_DID, didHash, _subjectOf(controller), 0, signature);
    }

    /// @inheritdoc IResolver
    function attestDataHashBySignature(
        DataHashAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external {
        _stateBySignature(
            StatementLibrary.ATTEST_DATA_HASH,
            attestation.didHash,
            attestation.dataHash,
            attestation.expiresAt,
            signature
        );
    }

    /// @inheritdoc IResolver
    function revokeDataHashBySignature(
        bytes32 didHash,
        bytes32 dataHash,
        IssuerSignature calldata signature
    ) external {
        _stateBySignature(StatementLibrary.REVOKE_DATA_HASH, didHash, dataHash, 0, signature);
    }

    /// @inheritdoc IResolver
    function vouchController(bytes32 didHash, address controller) external {
        _dids[didHash].vouch(didHash, controller, msg.sender, _issuers.epochs, maturation);
        emit ControllerVouched(didHash, controller, msg.sender);
    }

    /// @inheritdoc IResolver
    function rejectController(bytes32 didHash, address controller) external {
        _dids[didHash].reject(didHash, controller, msg.sender, _issuers.epochs, maturation);
        emit ControllerRejected(didHash, controller, msg.sender);
    }

    /// @inheritdoc IResolver
    function challengeDID(bytes32 didHash, address incumbent) external {
        DIDRecord storage did = _dids[didHash];
        if (incumbent == msg.sender) revert SelfReference(msg.sender);
        did.requireAttested(didHash, msg.sender, _issuers.epochs);
        did.requireAttested(didHash, incumbent, _issuers.epochs);

        (uint256 resolvableFrom, uint256 voidFrom) = did.open(didHash, incumbent, msg.sender, maturation);
        emit DIDChallenged(didHash, incumbent, msg.sender, uint64(resolvableFrom), uint64(voidFrom));
    }

    /// @inheritdoc IResolver
    function resolveChallenge(bytes32 didHash, address incumbent, address challenger) external {
        DIDRecord storage did = _dids[didHash];
        did.close(didHash, incumbent, challenger);
        uint256 score = ownershipScore(didHash, challenger);
        uint256 attestations = did.countLive(incumbent, _issuers.epochs, block.timestamp);
        bool won = score > attestations;
        if (won) did.oust(incumbent);
        emit ChallengeResolved(didHash, incumbent, challenger, won, score, attestations);
    }

    /// @inheritdoc IResolver
    function checkDID(bytes32 didHash, address controller) external view returns (bool) {
        DIDRecord storage did = _dids[didHash];
        IssuerEpochs epochs = _issuers.epochs;
        // The common case needs no more than the DID's own slot and the authorisations in force.
        return did.isAttestedInSlot(controller, epochs) || did.counts(controller, epochs, maturation);
    }

    /// @inheritdoc IResolver
    function checkDataHashAttestation(bytes32 didHash, bytes32 dataHash) external view returns (bool) {
        return _dataHashes[didHash][dataHash].anyLive(_issuers.epochs, block.timestamp);
    }

    /// @inheritdoc IResolver
    function getController(
        bytes32 didHash,
        address controller
    ) external view returns (ControllerView memory) {
        return _dids[didHash].describe(controller, _issuers.epochs, maturation);
    }

    /// @inheritdoc IResolver
    function getDIDAttestations(
        bytes32 didHash,
        address controller
    ) external view returns (AttestationView[] memory) {
        return AttestationViews.ofController(_dids[didHash], controller, _issuers);
    }

    /// @inheritdoc IResolver
    function getDataHashAttestations(
        bytes32 didHash,
        bytes32 dataHash
    ) external view returns (AttestationView[] memory) {
        return AttestationViews.ofDataHash(_dataHashes[didHash][dataHash], _issuers);
    }

    /// @inheritdoc IResolver
    function firstController(bytes32 didHash) external view returns (address) {
        return _dids[didHash].first.controller();
    }

    /// @inheritdoc IResolver
    function getChallenge(
        bytes32 didHash,
        address incumbent,
        address challenger
    ) external view returns (ChallengeView memory challenge) {
        (uint256 openedAt, uint256 resolvableFrom, uint256 voidFrom) = _dids[didHash].window(
            incumbent,
            challenger
        );
        challenge.openedAt = uint64(openedAt);
        challenge.resolvableFrom = uint64(resolvableFrom);
        challenge.voidFrom = uint64(voidFrom);
    }

    /// @inheritdoc IResolver
    function ownershipScore(bytes32 didHash, address controller) public view returns (uint256) {
        uint256 maturedSince = Math.saturatingSub(block.timestamp, maturation);
        return _dids[didHash].countLive(controller, _issuers.epochs, maturedSince);
    }

    function _stateDirectly(
        Statement statement,
        bytes32 didHash,
        bytes32 subject,
        uint256 expiresAt
    ) private {
        _state(statement, msg.sender, _issuers.seatOf(msg.sender), didHash, subject, expiresAt);
    }

    function _stateEach(Statement statement, DataHashAttestation[] calldata attestations) private {
        Seat seat = _issuers.seatOf(msg.sender);
        for (uint256 i = 0; i < attestations.length; ++i) {
            DataHashAttestation calldata item = attestations[i];
            _state(statement, msg.sender, seat, item.didHash, item.dataHash, item.expiresAt);
        }
    }

    function _stateBySignature(
        Statement statement,
        bytes32 didHash,
        bytes32 subject,
        uint256 expiresAt,
        IssuerSignature calldata signature
    ) private {
        address issuer = signature.issuer;
        Seat seat = _issuers.seatOf(issuer);
        if (seat.epoch() != signature.epoch) {
            revert IssuerEpochMismatch(issuer, signature.epoch, uint32(seat.epoch()));
        }
        _useSignature(
            signature,
            statement.structHash(didHash, subject, expiresAt, signature),
            statement.isOfDataHash()
                ? _dataHashes[didHash][subject].get(seat.lane()).revokedUnder(seat.epoch())
                : _dids[didHash].supersededAt(_controllerOf(subject), seat)
        );
        _state(statement, issuer, seat, didHash, subject, expiresAt);
    }

    /// @dev Every statement comes here, whichever way it was made.
    function _state(
        Statement statement,
        address issuer,
        Seat seat,
        bytes32 didHash,
        bytes32 subject,
        uint256 expiresAt
    ) private {
        if (statement.isRevocation()) {
            bool found =
                statement.isOfDataHash()
                    ? _revokeDataHash(issuer, seat, didHash, subject)
                    : _revokeDID(issuer, seat, didHash, _controllerOf(subject));
            if (!found) revert NothingToRevoke(didHash, subject, issuer);
            return;
        }
        if (didHash == 0 || (subject == 0 && statement.isOfDataHash())) revert ZeroHash();
        if (subject == 0) revert ZeroAddress();
        expiresAt = _expiry(expiresAt, seat.maxTTL());
        if (statement.isOfDataHash()) _attestDataHash(issuer, seat, didHash, subject, expiresAt);
        else _attestDID(issuer, seat, didHash, _controllerOf(subject), expiresAt);
    }

    function _attestDID(
        address issuer,
        Seat seat,
        bytes32 didHash,
        address controller,
        uint256 expiresAt
    ) private {
        Attestation made = _dids[didHash].attest(controller, seat, expiresAt);
        emit DIDAttested(didHash, controller, issuer, uint64(made.attestedAt()), uint64(made.expiresAt()));
    }

    function _attestDataHash(
        address issuer,
        Seat seat,
        bytes32 didHash,
        bytes32 dataHash,
        uint256 expiresAt
    ) private {
        Attestation made = _dataHashes[didHash][dataHash].renew(seat, expiresAt);
        emit DataHashAttested(didHash, dataHash, issuer, uint64(made.attestedAt()), uint64(made.expiresAt()));
    }

    function _revokeDID(
        address issuer,
        Seat seat,
        bytes32 didHash,
        address controller
    ) private returns (bool found) {
        found = _dids[didHash].revoke(controller, seat, _issuers.epochs);
        if (found) emit DIDRevoked(didHash, controller, issuer);
    }

    function _revokeDataHash(
        address issuer,
        Seat seat,
        bytes32 didHash,
        bytes32 dataHash
    ) private returns (bool found) {
        found = _dataHashes[didHash][dataHash].revoke(seat);
        if (found) emit DataHashRevoked(didHash, dataHash, issuer);
    }

    function _subjectOf(address controller) private pure returns (bytes32) {
        return bytes32(uint256(uint160(controller)));
    }

    /// @dev Refuses a word that is no address, as Solidity does where it decodes one.
    function _controllerOf(bytes32 subject) private pure returns (address controller) {
        assembly ("memory-safe") {
            if shr(160, subject) {
                revert(0, 0)
            }
            controller := subject
        }
    }

    /// @dev Both kinds of attestation are three words in calldata, so one loop takes both.
    function _subjectsOf(
        DIDAttestation[] calldata attestations
    ) private pure returns (DataHashAttestation[] calldata subjects) {
        assembly ("memory-safe") {
            subjects.offset := attestations.offset
            subjects.length := attestations.length
        }
    }
}
