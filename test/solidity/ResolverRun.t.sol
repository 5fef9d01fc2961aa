// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Run, RunLib} from "../../contracts/libraries/Run.sol";
import {VM} from "./support/Vm.sol";

/// @dev The rules of a run against the sentences that describe them, asked of one moment after the other.
contract ResolverRunTest {
    /// @dev Noon of some day: every span of the rules is a number of days, so that fuzzed times often meet its edge.
    uint256 private constant _NOON = 20_000 days + 12 hours;
    uint256 private constant _DAYS = 64;

    Run private _stored;

    /// @dev What is drawn at random; see `_case`.
    struct Draw {
        uint16 startedAt;
        uint16 statedAt;
        uint16 wait;
        uint16 life;
        uint16 endedAt;
        uint16 countedUntil;
        uint16 since;
        uint16 objectedAt;
        uint16 now_;
        uint16 asked;
        uint8 kind;
        bool isEndFinal;
        bool isDistrusted;
        bool vouched;
    }

    /// @dev A run as it is stored, and what became of its issuer.
    struct Case {
        Run run;
        bool isDistrusted;
        uint256 since;
        uint256 now_;
        /// @dev First objection in force; `NEVER` when there is none.
        uint256 objectedAt;
        /// @dev A moment that something is asked about.
        uint256 asked;
    }

    function testFuzz_restrictedRunIsLiveAsTheSentencesSay(Draw calldata draw) external {
        Case memory c = _case(draw);
        Run memory run = _restrict(c);
        require(run.isLive() == _isLiveAt(c, c.now_), "live");
        require(run.isSettled() == (_isLiveAt(c, c.now_) && c.run.settlesAt <= c.now_), "settled");
        require(run.hasSettled() == _hasSettled(c), "has settled");
        require(run.isHeld() == _isHeldAt(c, c.now_), "held");
    }

    function testFuzz_restrictedRunHasStandingWhileHeldAndATailAfter(Draw calldata draw) external {
        Case memory c = _case(draw);
        uint256 tail = (2 + (draw.wait % 28)) * 1 days;
        // Until less than a tail ago: at the moment a tail ago, or since the start when that was later.
        uint256 moment = c.now_ - tail;
        if (moment < c.run.startedAt) moment = c.run.startedAt;
        bool wasHeld = _hasSettled(c) && _isHeldAt(c, moment);
        require(_restrict(c).hasStanding(tail) == wasHeld, "standing");
    }

    function testFuzz_restrictedRunCountedSinceWhenSettledAtAnyMomentFromThenOn(Draw calldata draw) external {
        Case memory c = _case(draw);
        uint256 moment = c.asked > c.run.settlesAt ? c.asked : c.run.settlesAt;
        bool current = _hasSettled(c) && _isLiveAt(c, moment) && c.run.settlesAt <= c.objectedAt;
        bool isCut = c.isDistrusted && c.since < c.run.countedUntil;
        uint256 countedUntil = isCut ? c.since : c.run.countedUntil;
        bool earlier = countedUntil > c.asked && countedUntil <= c.objectedAt;
        require(_restrict(c).countedSince(c.asked, c.objectedAt) == (current || earlier), "counted since");
    }

    function testFuzz_restrictedRunEndsAtTheFirstMomentAtWhichItIsNotLive(Draw calldata draw) external {
        Case memory c = _case(draw);
        Run memory run = _restrict(c);
        uint256 end = run.end();
        require(!_isLiveAt(c, end), "not live at its end");
        if (end > c.run.startedAt) require(_isLiveAt(c, end - 1), "live until its end");
        if (!_hasSettled(c)) return;
        require(!_isHeldAt(c, run.heldUntil()), "not held at the end of grace");
        require(_isHeldAt(c, run.heldUntil() - 1), "held until the end of grace");
    }

    function testFuzz_restrictKeepsWhatItDoesNotTake(Draw calldata draw) external {
        Case memory c = _case(draw);
        Run memory run = _restrict(c);
        require(run.statedAt == c.run.statedAt && run.vouched == c.run.vouched, "statement and vouch");
        require(run.isAttested() == (_isAttested(c)), "attested");
        if (_isVoid(c)) {
            require(run.startedAt == 0 && run.settlesAt == 0 && run.expiresAt == 0, "void");
        } else {
            require(run.startedAt == c.run.startedAt && run.settlesAt == c.run.settlesAt, "start");
        }
        if (!c.isDistrusted) require(_isSame(run, c.run), "a trusted issuer's run");
    }

    function testFuzz_attestRenewsAHeldRunAndBeginsAnotherAfterIt(Draw calldata draw) external {
        Case memory c = _case(draw);
        // An issuer that attests is trusted.
        c.isDistrusted = false;
        Run memory run = _restrict(c);
        uint256 expiresAt = c.asked > c.now_ ? c.asked : c.now_ + 1;
        uint256 settlesAt = c.now_ + (draw.wait % 5) * 1 days;
        run.attest(c.now_, expiresAt, settlesAt);

        require(run.statedAt == c.now_ && run.isLive(), "a new word, and live");
        if (_isHeldAt(c, c.now_)) {
            bool isLonger = expiresAt > c.run.expiresAt;
            require(run.expiresAt == (isLonger ? expiresAt : c.run.expiresAt), "never shorter");
            require(run.startedAt == c.run.startedAt && run.settlesAt == c.run.settlesAt, "same run");
            require(run.vouched == c.run.vouched && run.countedUntil == c.run.countedUntil, "same vouch");
        } else {
            require(run.startedAt == c.now_ && run.expiresAt == expiresAt, "another run");
            require(run.settlesAt == (settlesAt < expiresAt ? settlesAt : RunLib.NEVER), "settles or never");
            require(run.endedAt == 0 && !run.vouched && !run.isEndFinal, "nothing of the run before");
            if (!_hasSettled(c)) require(run.countedUntil == c.run.countedUntil, "still counted until");
            else
                require(
                    !_isLiveAt(c, run.countedUntil) && _isLiveAt(c, run.countedUntil - 1),
                    "counted until"
                );
        }
    }

    function testFuzz_revokeDatesTheFirstEndAndTheLastWord(Draw calldata draw) external {
        Case memory c = _case(draw);
        Run memory run = _restrict(c);
        uint256 endedAt = run.endedAt;
        run.revoke(c.asked);
        require(run.statedAt == c.asked, "last word");
        require(run.endedAt == (endedAt == 0 ? c.now_ : endedAt), "first end");
        require(!run.isAttested(), "not attested");
    }

    function testFuzz_finishEndsARunForGoodAndKeepsAnEndThatIsHeeded(
        Draw calldata draw,
        uint16 laterSince
    ) external {
        Case memory c = _case(draw);
        uint256 endedAt = _restrict(c).endedAt;
        _stored = c.run;
        _stored.finish(c.isDistrusted ? c.since : RunLib.NEVER);
        c.run = _stored;
        require(c.run.isEndFinal && c.run.endedAt == (endedAt == 0 ? c.now_ : endedAt), "ended");
        if (_isVoid(c)) return;
        uint256 end = c.run.endedAt;
        c.isDistrusted = true;
        c.since = _past(laterSince, c.now_);
        require(
            !_restrict(c).isLive() && (_isVoid(c) || _restrict(c).endedAt == end),
            "no distrust undoes it"
        );
    }

    /// @dev A run that can have been recorded. Every moment but a settling in the future is at `now_` or before.
    function _case(Draw calldata draw) private returns (Case memory c) {
        c.now_ = _NOON + (_DAYS + (draw.now_ % _DAYS)) * 1 days;
        VM.warp(c.now_);
        c.asked = _moment(draw.asked);
        c.run.endedAt = draw.endedAt % 2 == 0 ? 0 : uint40(_past(draw.endedAt / 2, c.now_));
        c.run.countedUntil = draw.countedUntil % 2 == 0 ? 0 : uint40(_past(draw.countedUntil / 2, c.now_));
        c.run.isEndFinal = draw.isEndFinal && c.run.endedAt != 0;
        c.run.vouched = draw.vouched;
        c.run.statedAt = uint40(_past(draw.statedAt, c.now_));
        c.isDistrusted = draw.isDistrusted;
        c.since = draw.since % 16 == 0 ? 0 : _past(draw.since / 16, c.now_);
        c.objectedAt = draw.objectedAt % 2 == 0 ? _past(draw.objectedAt / 2, c.now_) : RunLib.NEVER;
        // One in eight issuers only ever revoked.
        if (draw.kind % 8 == 0) return c;

        uint256 startedAt = _past(draw.startedAt, c.now_);
        uint256 expiresAt = startedAt + 1 + (draw.life % (_DAYS * 1 days));
        if (draw.life % 2 == 0) expiresAt = startedAt + (1 + ((draw.life / 2) % _DAYS)) * 1 days;
        uint256 settlesAt = startedAt + (draw.wait % 5) * 1 days;
        c.run.startedAt = uint40(startedAt);
        c.run.expiresAt = uint40(expiresAt);
        c.run.settlesAt = settlesAt < expiresAt ? uint40(settlesAt) : RunLib.NEVER;
        if (c.run.endedAt != 0 && c.run.endedAt < startedAt) c.run.endedAt = c.run.startedAt;
        if (c.run.statedAt + 1 days < startedAt) c.run.statedAt = uint40(startedAt - 1 days);
        if (c.run.countedUntil > startedAt) c.run.countedUntil = c.run.startedAt;
    }

    /// @dev A whole number of days before or after noon, give or take a second.
    function _moment(uint256 random) private pure returns (uint256) {
        return _NOON + ((random / 3) % (3 * _DAYS)) * 1 days + (random % 3) - 1;
    }

    function _past(uint256 random, uint256 now_) private pure returns (uint256) {
        uint256 moment = _moment(random);
        return moment < now_ ? moment : now_;
    }

    function _restrict(Case memory c) private pure returns (Run memory run) {
        run = abi.decode(abi.encode(c.run), (Run));
        return run.restrict(c.isDistrusted ? c.since : RunLib.NEVER);
    }

    /// @dev Distrust voids the runs that began at T or after.
    function _isVoid(Case memory c) private pure returns (bool) {
        return c.isDistrusted && c.run.startedAt >= c.since;
    }

    /// @dev Revocations at or after T are ignored; the ends by the owner and by an ousting are not.
    function _isEndedAt(Case memory c, uint256 moment) private pure returns (bool) {
        bool isIgnored = c.isDistrusted && c.run.endedAt >= c.since && !c.run.isEndFinal;
        return c.run.endedAt != 0 && moment >= c.run.endedAt && !isIgnored;
    }

    /// @dev A run that may have been written over lives at most until 30 days after T.
    function _isExpiredAt(Case memory c, uint256 moment) private pure returns (bool) {
        bool mayBeWrittenOver = c.isDistrusted && c.run.statedAt + 1 days >= c.since;
        return moment >= c.run.expiresAt || (mayBeWrittenOver && moment >= c.since + 30 days);
    }

    function _isLiveAt(Case memory c, uint256 moment) private pure returns (bool) {
        return c.run.startedAt != 0 && !_isVoid(c) && !_isExpiredAt(c, moment) && !_isEndedAt(c, moment);
    }

    function _hasSettled(Case memory c) private pure returns (bool) {
        return c.run.settlesAt <= c.now_ && _isLiveAt(c, c.run.settlesAt);
    }

    /// @dev Not ended, not void, and live or, once settled, expired less than `grace` ago.
    function _isHeldAt(Case memory c, uint256 moment) private pure returns (bool) {
        if (_isLiveAt(c, moment)) return true;
        return _hasSettled(c) && !_isEndedAt(c, moment) && !_isExpiredAt(c, moment - 7 days);
    }

    function _isAttested(Case memory c) private pure returns (bool) {
        bool isOver = _isEndedAt(c, type(uint256).max);
        return c.run.startedAt != 0 && !_isVoid(c) && !isOver;
    }

    function _isSame(Run memory a, Run memory b) private pure returns (bool) {
        return keccak256(abi.encode(a)) == keccak256(abi.encode(b));
    }
}
