// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {AccountRuns} from "../libraries/DIDControl.sol";
import {Controller, DIDRecord, DIDRecordLib} from "../libraries/DIDRecord.sol";
import {Run, RunLib, RunState} from "../libraries/Run.sol";
import {IssuerTrust, ResolverPolicy} from "./ResolverPolicy.sol";

/// @title Reads of a resolver
/// @notice Answers from the statements of the seated issuers, without those that are void because of distrust.
abstract contract ResolverReads is ResolverPolicy {
    using DIDRecordLib for address;

    mapping(bytes32 didHash => DIDRecord) internal _dids;

    /// @inheritdoc IResolver
    function checkDID(bytes32 didHash, address controller) external view returns (bool) {
        // The common case reads only the DID's slot and the trust in its issuer. It can skip blocks: a first run
        // matures when it begins, and a block applies only to runs that mature after the block began.
        uint16 first = _dids[didHash].issuerOfFirst(controller);
        if (first != 0 && _trust[first].distrustedSince == RunLib.NEVER) return true;
        return _account(didHash, controller).controls(block.timestamp);
    }

    /// @inheritdoc IResolver
    function checkDataHashAttestation(bytes32 didHash, bytes32 dataHash) external view returns (bool) {
        return _dataHash(didHash, dataHash).count(RunState.Live, block.timestamp, block.timestamp) > 0;
    }

    /// @inheritdoc IResolver
    function resistsReclaim(bytes32 didHash, address account) external view returns (bool) {
        return _account(didHash, account).unblocked(RunState.Standing, block.timestamp) > 0;
    }

    /// @inheritdoc IResolver
    function getController(
        bytes32 didHash,
        address controller
    ) external view returns (ControllerView memory) {
        AccountRuns memory account = _account(didHash, controller);
        bool inCharge = account.unblocked(RunState.InCharge, block.timestamp) > 0;
        bool isBlocked = !inCharge && account.blockedAfter(block.timestamp) != type(uint256).max;
        return
            ControllerView({
                controls: account.controls(block.timestamp),
                inCharge: inCharge,
                attested: account.count(RunState.Live, block.timestamp, type(uint256).max) > 0,
                controlsFrom: uint64(account.controlsFrom()),
                blockedUntil: isBlocked ? account.controller.blockedUntil : 0,
                score: uint64(account.count(RunState.Matured, block.timestamp, block.timestamp)),
                resistance: uint64(account.resistance())
            });
    }

    /// @inheritdoc IResolver
    function getDIDAttestations(
        bytes32 didHash,
        address controller
    ) external view returns (AttestationView[] memory) {
        return _toViews(_account(didHash, controller), true);
    }

    /// @inheritdoc IResolver
    function getDataHashAttestations(
        bytes32 didHash,
        bytes32 dataHash
    ) external view returns (AttestationView[] memory views) {
        return _toViews(_dataHash(didHash, dataHash), false);
    }

    /// @inheritdoc IResolver
    function getBlock(bytes32 didHash, address account) external view returns (BlockView memory) {
        Controller memory blocked = _dids[didHash].controllers[account];
        if (blocked.blockedUntil <= block.timestamp) return BlockView(0, 0, 0);
        return BlockView(blocked.blockedAt, blocked.blockedUntil, blocked.weight);
    }

    /// @inheritdoc IResolver
    function claimedAt(bytes32 didHash) external view returns (uint64) {
        return uint64(_dids[didHash].claimedAt());
    }

    /// @inheritdoc IResolver
    function ownershipScore(bytes32 didHash, address controller) public view returns (uint256) {
        return _account(didHash, controller).count(RunState.Matured, block.timestamp, block.timestamp);
    }

    /// @inheritdoc IResolver
    function getChallenge(
        bytes32 didHash,
        address incumbent,
        address challenger
    ) public view returns (ChallengeView memory challenge) {
        uint64 openedAt = uint64(_dids[didHash].challenges[incumbent][challenger]);
        if (block.timestamp >= openedAt + 2 * challengePeriod) return challenge;
        return ChallengeView(openedAt, openedAt + challengePeriod, openedAt + 2 * challengePeriod);
    }

    function _account(bytes32 didHash, address account) internal view returns (AccountRuns memory) {
        Run[] memory runs = _load(didHash, account.toSubject(), true);
        return AccountRuns(runs, _dids[didHash].controllers[account], challengePeriod);
    }

    /// @dev Returns the runs of a dataHash. A dataHash can't be blocked.
    function _dataHash(bytes32 didHash, bytes32 dataHash) private view returns (AccountRuns memory subject) {
        subject.runs = _load(didHash, dataHash, false);
    }

    /// @dev Returns the runs of the seated issuers about a subject, in the order of their seats, after applying
    /// distrust.
    function _load(bytes32 didHash, bytes32 subject, bool isController) private view returns (Run[] memory) {
        uint16[] memory numbers = _seats;
        Run[] memory runs = new Run[](numbers.length);
        for (uint256 i = 0; i < numbers.length; ++i) {
            runs[i] = _dids[didHash].load(subject, isController, numbers[i]);
            if (runs[i].startedAt == 0) continue;
            IssuerTrust storage trust = _trust[numbers[i]];
            runs[i].applyDistrust(trust.distrustedSince, trust.distrustedAt);
        }
        return runs;
    }

    /// @dev Returns the statements of the seated issuers that stated something about a subject.
    /// @param hasGrace False for a dataHash, whose runs are never overdue.
    function _toViews(
        AccountRuns memory subject,
        bool hasGrace
    ) private view returns (AttestationView[] memory) {
        uint16[] memory numbers = _seats;
        uint256 blockedAfter = subject.blockedAfter(block.timestamp);
        AttestationView[] memory views = new AttestationView[](numbers.length);
        uint256 length = 0;
        for (uint256 i = 0; i < numbers.length; ++i) {
            Run memory run = subject.runs[i];
            if (run.statedAt == 0) continue;
            views[length] = AttestationView({
                issuer: _trust[numbers[i]].account,
                startedAt: run.startedAt,
                statedAt: run.statedAt,
                maturesAt: run.maturesAt,
                expiresAt: run.expiresAt,
                endedAt: run.endedAt,
                revokedAt: run.revokedAt,
                live: run.isIn(RunState.Live, block.timestamp),
                matured: run.isIn(RunState.Matured, block.timestamp),
                overdue: hasGrace && run.isIn(RunState.Overdue, block.timestamp),
                blocked: run.maturesAt > blockedAfter
            });
            ++length;
        }
        assembly ("memory-safe") {
            mstore(views, length)
        }
        return views;
    }
}
