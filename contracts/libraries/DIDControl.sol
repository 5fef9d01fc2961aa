// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {Controller, DIDRecord} from "./DIDRecord.sol";
import {Issuers} from "./Issuers.sol";
import {Run} from "./Run.sol";

/// @notice What the runs of one account come to: each number counts issuers.
struct Tally {
    /// @dev Not void, over or not.
    uint256 begun;
    uint256 live;
    /// @dev Live, and settled or vouched for.
    uint256 ready;
    uint256 settled;
    /// @dev Settled a week ago or earlier: only these overrule an objection.
    uint256 longSettled;
    /// @dev Settled once, held, not live any more.
    uint256 late;
    uint256 standing;
}

/// @title Who counts as a controller of a DID
/// @notice The rules across issuers: counting, vouches, objections and challenges.
library DIDControl {
    /// @dev Time for which no number of issuers overrules an objection.
    uint256 private constant _OBJECTION_TIME = 7 days;
    uint256 private constant _MAX_OBJECTIONS = 4;

    function counts(
        DIDRecord storage did,
        address account,
        Issuers storage issuers
    ) internal view returns (bool) {
        // The common case reads no more than the DID's own slot and whether its issuer is trusted.
        if (did.isFirstLive(account, issuers)) return true;
        Tally memory tally = tallyOf(did, account, issuers);
        return tally.ready > 0 && !_isObjected(did, account, tally.longSettled, issuers);
    }

    function tallyOf(
        DIDRecord storage did,
        address account,
        Issuers storage issuers
    ) internal view returns (Tally memory) {
        return tallyRuns(did.runsOf(account, issuers));
    }

    function tallyRuns(Run[] memory runs) internal view returns (Tally memory tally) {
        for (uint256 i = 0; i < runs.length; ++i) {
            Run memory run = runs[i];
            if (run.startedAt != 0) ++tally.begun;
            if (run.hasStanding()) ++tally.standing;
            if (!run.isLive()) {
                if (run.isHeld()) ++tally.late;
                continue;
            }
            ++tally.live;
            bool isSettled = run.isSettled();
            if (isSettled || run.vouched) ++tally.ready;
            if (!isSettled) continue;
            ++tally.settled;
            if (run.settlesAt + _OBJECTION_TIME <= block.timestamp) ++tally.longSettled;
        }
    }

    /// @dev Issuers with a settled attestation of the account, of a run that began at `startedBy` or earlier.
    function score(
        DIDRecord storage did,
        address account,
        uint256 startedBy,
        Issuers storage issuers
    ) internal view returns (uint256 number) {
        Run[] memory runs = did.runsOf(account, issuers);
        for (uint256 i = 0; i < runs.length; ++i) {
            if (runs[i].isSettled() && runs[i].startedAt <= startedBy) ++number;
        }
    }

    /// @dev What a challenger's score must exceed.
    function weight(
        DIDRecord storage did,
        address incumbent,
        Issuers storage issuers
    ) internal view returns (uint256) {
        Tally memory tally = tallyOf(did, incumbent, issuers);
        return tally.standing + tally.live - tally.settled;
    }

    function describe(
        DIDRecord storage did,
        address account,
        Issuers storage issuers
    ) internal view returns (IResolver.ControllerView memory controller) {
        Run[] memory runs = did.runsOf(account, issuers);
        Tally memory tally = tallyRuns(runs);
        controller.attested = tally.live > 0;
        controller.objected = _isObjected(did, account, tally.longSettled, issuers);
        controller.counts = tally.ready > 0 && !controller.objected;
        controller.late = tally.late > 0 && tally.settled == 0;
        controller.score = uint64(tally.settled);
        controller.standing = uint64(tally.standing);
        for (uint256 i = 0; i < runs.length; ++i) {
            Run memory run = runs[i];
            bool isEarlier = controller.settlesAt == 0 || run.settlesAt < controller.settlesAt;
            if (run.isLive() && run.settlesAt < run.expiresAt && isEarlier)
                controller.settlesAt = run.settlesAt;
        }
    }

    function describeObjections(
        DIDRecord storage did,
        address account,
        Issuers storage issuers
    ) internal view returns (IResolver.ObjectionView[] memory objections) {
        Controller storage controller = did.controllers[account];
        uint256 longSettled = tallyOf(did, account, issuers).longSettled;
        objections = new IResolver.ObjectionView[](controller.objections);
        for (uint256 i = 0; i < objections.length; ++i) {
            address author = controller.objectors[i];
            Tally memory tally = tallyOf(did, author, issuers);
            objections[i] = IResolver.ObjectionView(
                author,
                uint64(tally.standing),
                _isInForce(tally, longSettled)
            );
        }
    }

    /// @dev Vouches for the newcomer's live runs; returns whether that withdrew an objection of the voucher.
    function vouch(
        DIDRecord storage did,
        bytes32 didHash,
        address newcomer,
        address voucher,
        Issuers storage issuers
    ) internal returns (bool isObjectionWithdrawn) {
        requireOtherController(did, didHash, newcomer, voucher, issuers);
        uint16[] memory numbers = issuers.seated();
        Run[] memory runs = did.runsOf(newcomer, issuers);
        did.expand(newcomer);
        bool isAttested = false;
        for (uint256 i = 0; i < runs.length; ++i) {
            if (!runs[i].isLive()) continue;
            isAttested = true;
            did.controllers[newcomer].runs[numbers[i]].vouched = true;
        }
        if (!isAttested) revert IResolver.NotAttested(didHash, newcomer);
        return withdraw(did, newcomer, voucher);
    }

    /// @dev Records an objection; returns the author of the one that made room for it, or zero.
    function object(
        DIDRecord storage did,
        bytes32 didHash,
        address account,
        address author,
        Issuers storage issuers
    ) internal returns (address replaced) {
        requireOtherController(did, didHash, account, author, issuers);
        IResolver.ControllerView memory described = describe(did, account, issuers);
        if (described.counts) revert IResolver.ControllerCounts(didHash, account);
        if (described.late) revert IResolver.ControllerLate(didHash, account);

        did.expand(account);
        Controller storage controller = did.controllers[account];
        uint256 length = controller.objections;
        for (uint256 i = 0; i < length; ++i) {
            if (controller.objectors[i] == author) {
                revert IResolver.AlreadyObjected(didHash, account, author);
            }
        }
        if (length < _MAX_OBJECTIONS) {
            controller.objectors[length] = author;
            controller.objections = uint8(length + 1);
        } else {
            uint256 place = _findReplaceable(did, account, author, issuers);
            replaced = controller.objectors[place];
            controller.objectors[place] = author;
        }
    }

    /// @dev Removes the author's objection; returns whether there was one.
    function withdraw(DIDRecord storage did, address account, address author) internal returns (bool) {
        Controller storage controller = did.controllers[account];
        uint256 length = controller.objections;
        for (uint256 i = 0; i < length; ++i) {
            if (controller.objectors[i] != author) continue;
            controller.objectors[i] = controller.objectors[length - 1];
            controller.objectors[length - 1] = address(0);
            controller.objections = uint8(length - 1);
            return true;
        }
        return false;
    }

    /// @dev Ends every run of the account that has begun.
    function oust(DIDRecord storage did, address account) internal {
        did.expand(account);
        did.controllers[account].oustedAt = uint40(block.timestamp);
    }

    function requireOtherController(
        DIDRecord storage did,
        bytes32 didHash,
        address account,
        address controller,
        Issuers storage issuers
    ) internal view {
        if (account == controller) revert IResolver.SelfReference(account);
        if (!counts(did, controller, issuers)) revert IResolver.NotController(didHash, controller);
    }

    function _isObjected(
        DIDRecord storage did,
        address account,
        uint256 longSettled,
        Issuers storage issuers
    ) private view returns (bool) {
        Controller storage controller = did.controllers[account];
        uint256 length = controller.objections;
        for (uint256 i = 0; i < length; ++i) {
            if (_isInForce(tallyOf(did, controller.objectors[i], issuers), longSettled)) return true;
        }
        return false;
    }

    /// @dev The place of an objection that is not in force, else of the weakest one below the author's standing.
    function _findReplaceable(
        DIDRecord storage did,
        address account,
        address author,
        Issuers storage issuers
    ) private view returns (uint256 place) {
        IResolver.ObjectionView[] memory objections = describeObjections(did, account, issuers);
        for (uint256 i = 0; i < objections.length; ++i) {
            if (!objections[i].inForce) return i;
            if (objections[i].standing < objections[place].standing) place = i;
        }
        bool isWeaker = objections[place].standing < tallyOf(did, author, issuers).standing;
        if (!isWeaker) revert IResolver.TooManyObjections(_MAX_OBJECTIONS);
    }

    /// @dev An objection outlasts its author's control, until the account has been settled for a week; but not an
    /// author whose every attestation is void.
    function _isInForce(Tally memory author, uint256 longSettled) private pure returns (bool) {
        return author.begun > 0 && longSettled <= author.standing;
    }
}
