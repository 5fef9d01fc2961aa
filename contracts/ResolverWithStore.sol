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
import {IssuerStatements} from "./libraries/IssuerStatements.sol";
import {Seat} from "./libraries/Seat.sol";

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
        _attestDID(msg.sender, _issuers.seatOf(msg.sender), didHash, controller, expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDID(bytes32 didHash, address controller) external {
        _revokeDID(msg.sender, _issuers.seatOf(msg.sender), didHash, controller);
    }

    /// @inheritdoc IResolver
    function attestDataHash(bytes32 didHash, bytes32 dataHash, uint64 expiresAt) external {
        _attestDataHash(msg.sender, _issuers.seatOf(msg.sender), didHash, dataHash, expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDataHash(bytes32 didHash, bytes32 dataHash) external {
        _revokeDataHash(msg.sender, _issuers.seatOf(msg.sender), didHash, dataHash);
    }

    /// @inheritdoc IResolver
    function attestDIDBatch(DIDAttestation[] calldata attestations) external {
        Seat seat = _issuers.seatOf(msg.sender);
        for (uint256 i = 0; i < attestations.length; ++i) {
            DIDAttestation calldata item = attestations[i];
            _attestDID(msg.sender, seat, item.didHash, item.controller, item.expiresAt);
        }
    }

    /// @inheritdoc IResolver
    function revokeDIDBatch(DIDAttestation[] calldata attestations) external {
        Seat seat = _issuers.seatOf(msg.sender);
        for (uint256 i = 0; i < attestations.length; ++i) {
            DIDAttestation calldata item = attestations[i];
            _revokeDID(msg.sender, seat, item.didHash, item.controller);
        }
    }

    /// @inheritdoc IResolver
    function attestDataHashBatch(DataHashAttestation[] calldata attestations) external {
        Seat seat = _issuers.seatOf(msg.sender);
        for (uint256 i = 0; i < attestations.length; ++i) {
            DataHashAttestation calldata item = attestations[i];
            _attestDataHash(msg.sender, seat, item.didHash, item.dataHash, item.expiresAt);
        }
    }

    /// @inheritdoc IResolver
    function revokeDataHashBatch(DataHashAttestation[] calldata attestations) external {
        Seat seat = _issuers.seatOf(msg.sender);
        for (uint256 i = 0; i < attestations.length; ++i) {
            DataHashAttestation calldata item = attestations[i];
            _revokeDataHash(msg.sender, seat, item.didHash, item.dataHash);
        }
    }

    /// @inheritdoc IResolver
    function attestDIDBySignature(
        DIDAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external {
        (bytes32 didHash, address controller) = (attestation.didHash, attestation.controller);
        Seat seat = _signersSeat(signature);
        _useSignature(
            signature,
            IssuerStatements.attestDID(attestation, signature),
            _dids[didHash].supersededAt(controller, seat)
        );
        _attestDID(signature.issuer, seat, didHash, controller, attestation.expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDIDBySignature(
        bytes32 didHash,
        address controller,
        IssuerSignature calldata signature
    ) external {
        Seat seat = _signersSeat(signature);
        _useSignature(
            signature,
            IssuerStatements.revokeDID(didHash, controller, signature),
            _dids[didHash].supersededAt(controller, seat)
        );
        _revokeDID(signature.issuer, seat, didHash, controller);
    }

    /// @inheritdoc IResolver
    function attestDataHashBySignature(
        DataHashAttestation calldata attestation,
        IssuerSignature calldata signature
    ) external {
        (bytes32 didHash, bytes32 dataHash) = (attestation.didHash, attestation.dataHash);
        Seat seat = _signersSeat(signature);
        _useSignature(
            signature,
            IssuerStatements.attestDataHash(attestation, signature),
            _dataHashes[didHash][dataHash].get(seat.lane()).revokedUnder(seat.epoch())
        );
        _attestDataHash(signature.issuer, seat, didHash, dataHash, attestation.expiresAt);
    }

    /// @inheritdoc IResolver
    function revokeDataHashBySignature(
        bytes32 didHash,
        bytes32 dataHash,
        IssuerSignature calldata signature
    ) external {
        Seat seat = _signersSeat(signature);
        _useSignature(
            signature,
            IssuerStatements.revokeDataHash(didHash, dataHash, signature),
            _dataHashes[didHash][dataHash].get(seat.lane()).revokedUnder(seat.epoch())
        );
        _revokeDataHash(signature.issuer, seat, didHash, dataHash);
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
        if (!did.isAttested(msg.sender, _issuers.epochs)) revert NotAttested(didHash, msg.sender);
        if (!did.isAttested(incumbent, _issuers.epochs)) revert NotAttested(didHash, incumbent);

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
        challenge = ChallengeView(uint64(openedAt), uint64(resolvableFrom), uint64(voidFrom));
    }

    /// @inheritdoc IResolver
    function ownershipScore(bytes32 didHash, address controller) public view returns (uint256) {
        uint256 maturedSince = Math.saturatingSub(block.timestamp, maturation);
        return _dids[didHash].countLive(controller, _issuers.epochs, maturedSince);
    }

    function _attestDID(
        address issuer,
        Seat seat,
        bytes32 didHash,
        address controller,
        uint64 expiresAt
    ) private {
        if (didHash == 0) revert ZeroHash();
        if (controller == address(0)) revert ZeroAddress();
        Attestation made = _dids[didHash].attest(controller, seat, _expiry(expiresAt, seat.maxTTL()));
        emit DIDAttested(didHash, controller, issuer, uint64(made.attestedAt()), uint64(made.expiresAt()));
    }

    function _revokeDID(address issuer, Seat seat, bytes32 didHash, address controller) private {
        if (!_dids[didHash].revoke(controller, seat, _issuers.epochs)) {
            revert NothingToRevoke(didHash, bytes32(uint256(uint160(controller))), issuer);
        }
        emit DIDRevoked(didHash, controller, issuer);
    }

    function _attestDataHash(
        address issuer,
        Seat seat,
        bytes32 didHash,
        bytes32 dataHash,
        uint64 expiresAt
    ) private {
        if (didHash == 0 || dataHash == 0) revert ZeroHash();
        Attestation made = _dataHashes[didHash][dataHash].renew(seat, _expiry(expiresAt, seat.maxTTL()));
        emit DataHashAttested(didHash, dataHash, issuer, uint64(made.attestedAt()), uint64(made.expiresAt()));
    }

    function _revokeDataHash(address issuer, Seat seat, bytes32 didHash, bytes32 dataHash) private {
        if (!_dataHashes[didHash][dataHash].revoke(seat)) {
            revert NothingToRevoke(didHash, dataHash, issuer);
        }
        emit DataHashRevoked(didHash, dataHash, issuer);
    }

    function _signersSeat(IssuerSignature calldata signature) private view returns (Seat seat) {
        seat = _issuers.seatOf(signature.issuer);
        if (seat.epoch() != signature.epoch) {
            revert IssuerEpochMismatch(signature.issuer, signature.epoch, uint32(seat.epoch()));
        }
    }
}
