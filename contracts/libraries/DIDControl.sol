// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IResolver} from "../interfaces/IResolver.sol";
import {Controller, DIDRecord, Objection} from "./DIDRecord.sol";
import {Issuers} from "./Issuers.sol";
import {Run, RunLib} from "./Run.sol";

/// @notice Counts of the issuers that have a run of one account, by the state of the run.
struct Tally {
    uint256 live;
    uint256 settled;
    /// @dev Held, and settled a week ago or earlier: only these overrule an objection.
    uint256 longSettled;
    uint256 standing;
    /// @dev With standing, or live and vouched for: the weight of an objection by the account.
    uint256 weight;
    /// @dev When the first live run settles; `type(uint256).max` if there is none.
    uint256 firstSettling;
    /// @dev The same among live runs that are settled or vouched for.
    uint256 firstReady;
    /// @dev The same among late runs: settled, held, no longer live.
    uint256 firstLate;
}

/// @title Who counts as a controller of a DID
/// @notice The rules across issuers: counting, vouches, objections and challenges.
library DIDControl {
    /// @dev Time within which no number of issuers overrules an objection.
    uint256 private constant _OBJECTION_TIME = 7 days;
    uint256 private constant _MAX_OBJECTIONS = 4;

    function counts(
        DIDRecord storage did,
        address account,
        Issuers storage issuers
    ) internal view returns (bool) {
        // The common case reads only the DID's own slot and whether its issuer is trusted: a first run settled when it
        // began, so no objection bars it.
        if (did.isFirstLive(account, issuers)) return true;
        Tally memory tally = tallyOf(did, account, block.timestamp, issuers);
        return tally.firstReady <= _firstObjection(did, account, tally.longSettled, issuers);
    }

    function countedSince(
        DIDRecord storage did,
        address account,
        uint256 since,
        Issuers storage issuers
    ) internal view returns (bool) {
        Run[] memory runs = did.runsOf(account, issuers);
        uint256 longSettled = tallyOf(did, account, block.timestamp, issuers).longSettled;
        uint256 objectedAt = _firstObjection(did, account, longSettled, issuers);
        for (uint256 i = 0; i < runs.length; ++i) {
            if (runs[i].countedSince(since, objectedAt)) return true;
        }
        return false;
    }

    /// @dev Counts the runs that began at `startedBy` or earlier.
    function tallyOf(
        DIDRecord storage did,
        address account,
        uint256 startedBy,
        Issuers storage issuers
    ) internal view returns (Tally memory tally) {
        tally.firstSettling = tally.firstReady = tally.firstLate = type(uint256).max;
        Run[] memory runs = did.runsOf(account, issuers);
        for (uint256 i = 0; i < runs.length; ++i) {
            Run memory run = runs[i];
            if (run.startedAt > startedBy) continue;
            bool isLive = run.isLive();
            bool isReady = isLive && (run.vouched || run.isSettled());
            bool hasStanding = run.hasStanding(issuers.standingTail);
            if (hasStanding) ++tally.standing;
            if (hasStanding || isReady) ++tally.weight;
            if (!run.isHeld()) continue;
            if (run.settlesAt + _OBJECTION_TIME <= block.timestamp) ++tally.longSettled;
            if (!isLive) {
                tally.firstLate = Math.min(tally.firstLate, run.settlesAt);
                continue;
            }
            ++tally.live;
            if (run.isSettled()) ++tally.settled;
            tally.firstSettling = Math.min(tally.firstSettling, run.settlesAt);
            if (isReady) tally.firstReady = Math.min(tally.firstReady, run.settlesAt);
        }
    }

    function describe(
        DIDRecord storage did,
        address account,
        Issuers storage issuers
    ) internal view returns (IResolver.ControllerView memory controller) {
        Tally memory tally = tallyOf(did, account, block.timestamp, issuers);
        uint256 objectedAt = _firstObjection(did, account, tally.longSettled, issuers);
        controller.counts = tally.firstReady <= objectedAt;
        controller.attested = tally.live > 0;
        controller.objected = objectedAt != RunLib.NEVER && tally.firstSettling > objectedAt;
        controller.late = tally.firstLate <= objectedAt && tally.settled == 0;
        controller.settlesAt = tally.firstSettling < RunLib.NEVER ? uint64(tally.firstSettling) : 0;
        controller.score = uint64(tally.settled);
        controller.standing = uint64(tally.standing);
    }

    function describeObjections(
        DIDRecord storage did,
        address account,
        Issuers storage issuers
    ) internal view returns (IResolver.ObjectionView[] memory) {
        return
            _objections(did, account, tallyOf(did, account, block.timestamp, issuers).longSettled, issuers);
    }

    /// @dev Vouches for the newcomer's live runs; returns whether that withdrew an objection of the voucher.
    function vouch(
        DIDRecord storage did,
        bytes32 didHash,
        address newcomer,
        address voucher,
        Issuers storage issuers
    ) internal returns (bool isObjectionWithdrawn) {
        if (newcomer == voucher) revert IResolver.SelfReference(voucher);
        if (!counts(did, voucher, issuers)) revert IResolver.NotController(didHash, voucher);
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

    /// @dev Records an objection; returns the author of the objection it replaced, or zero.
    function object(
        DIDRecord storage did,
        bytes32 didHash,
        address account,
        address author,
        Issuers storage issuers
    ) internal returns (address replaced) {
        if (account == author) revert IResolver.SelfReference(author);
        IResolver.ControllerView memory described = describe(did, author, issuers);
        if (!described.counts && !described.late) revert IResolver.NotController(didHash, author);
        if (counts(did, account, issuers)) revert IResolver.ControllerCounts(didHash, account);

        Controller storage controller = did.controllers[account];
        uint256 length = controller.objectionCount;
        if (_indexOf(controller, author) < length) revert IResolver.AlreadyObjected(didHash, account, author);
        uint256 place = length;
        if (length == _MAX_OBJECTIONS) {
            place = _findReplaceable(did, account, author, issuers);
            replaced = controller.objections[place].author;
        } else {
            controller.objectionCount = uint8(length + 1);
        }
        controller.objections[place] = Objection(author, uint40(block.timestamp));
    }

    /// @dev Removes the author's objection; returns whether there was one.
    function withdraw(DIDRecord storage did, address account, address author) internal returns (bool) {
        Controller storage controller = did.controllers[account];
        uint256 index = _indexOf(controller, author);
        uint256 length = controller.objectionCount;
        if (index == length) return false;
        controller.objections[index] = controller.objections[length - 1];
        controller.objectionCount = uint8(length - 1);
        return true;
    }

    /// @dev Ends every run of the account for good.
    function oust(DIDRecord storage did, address account, Issuers storage issuers) internal {
        did.expand(account);
        Controller storage controller = did.controllers[account];
        controller.oustedAt = uint40(block.timestamp);
        uint16[] memory numbers = issuers.seated();
        for (uint256 i = 0; i < numbers.length; ++i) {
            Run storage run = controller.runs[numbers[i]];
            if (run.startedAt != 0) run.finish(issuers.byNumber[numbers[i]].distrustedSince);
        }
    }

    /// @dev The index of the author's objection, or the number of objections if it has none.
    function _indexOf(Controller storage controller, address author) private view returns (uint256 index) {
        while (index < controller.objectionCount && controller.objections[index].author != author) ++index;
    }

    /// @dev When the first objection in force was made; `NEVER` if none is.
    function _firstObjection(
        DIDRecord storage did,
        address account,
        uint256 longSettled,
        Issuers storage issuers
    ) private view returns (uint256 objectedAt) {
        objectedAt = RunLib.NEVER;
        IResolver.ObjectionView[] memory objections = _objections(did, account, longSettled, issuers);
        for (uint256 i = 0; i < objections.length; ++i) {
            if (objections[i].inForce) objectedAt = Math.min(objectedAt, objections[i].objectedAt);
        }
    }

    function _objections(
        DIDRecord storage did,
        address account,
        uint256 longSettled,
        Issuers storage issuers
    ) private view returns (IResolver.ObjectionView[] memory objections) {
        Controller storage controller = did.controllers[account];
        objections = new IResolver.ObjectionView[](controller.objectionCount);
        for (uint256 i = 0; i < objections.length; ++i) {
            Objection memory objection = controller.objections[i];
            uint256 weight = tallyOf(did, objection.author, objection.madeAt, issuers).weight;
            objections[i] = IResolver.ObjectionView({
                author: objection.author,
                objectedAt: objection.madeAt,
                standing: uint64(weight),
                inForce: weight > 0 && weight >= longSettled
            });
        }
    }

    /// @dev The index of an objection that is not in force, else of the weakest one below the author's weight.
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
        bool isWeaker = objections[place].standing < tallyOf(did, author, block.timestamp, issuers).weight;
        if (!isWeaker) revert IResolver.TooManyObjections(_MAX_OBJECTIONS);
    }
}
