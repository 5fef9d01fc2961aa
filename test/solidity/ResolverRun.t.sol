// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Run, RunLib, RunState} from "../../contracts/libraries/Run.sol";

/// @dev Compares the code of a run with its documented rules, written out one by one.
contract ResolverRunTest {
    uint256 private constant _NOW = 20_000 days;
    uint256 private constant _GRACE = 7 days;

    Run private _stored;

    /// @dev Random input of a test. The fields are numbers of days, relative to another date.
    struct Draw {
        uint8 startedAt;
        uint8 wait;
        uint8 life;
        uint8 endedAt;
        uint8 since;
        uint8 distrustedAt;
        uint8 lengthenedAt;
        uint8 at;
        bool isEnded;
        bool isEndFinal;
        bool isSigned;
    }

    /// @dev `store` packs the fields by hand; the compiler's own code reads them.
    function testFuzz_storedRunIsReadAsItWas(
        uint32[7] calldata dates,
        bool isSigned,
        bool isEndFinal
    ) external {
        Run memory run = Run(
            dates[0],
            dates[1],
            dates[2],
            dates[3],
            dates[4],
            dates[5],
            dates[6],
            isSigned,
            isEndFinal
        );
        run.store(_stored);
        require(_isSame(_stored, run), "round trip");
    }

    function testFuzz_statesAreWhatTheSentencesSay(Draw calldata draw) external pure {
        (Run memory run, uint256 at) = _run(draw);
        bool isEnded = run.endedAt != 0 && at >= run.endedAt;
        bool isLive = at < run.expiresAt && !(run.endedAt != 0 && run.endedAt <= at);
        bool isOverdue = run.endedAt == 0 && at >= run.expiresAt && at < run.expiresAt + _GRACE;
        uint256 earlier = run.endedAt != 0 && run.endedAt < run.expiresAt ? run.endedAt : run.expiresAt;
        bool isRecent = at < earlier + _GRACE && !run.isEndFinal;
        require(run.isIn(RunState.Live, at) == isLive, "live");
        require(run.isIn(RunState.Matured, at) == (isLive && run.maturesAt <= at), "matured");
        require(run.isIn(RunState.Overdue, at) == isOverdue, "overdue");
        bool isInCharge = isOverdue || (isLive && run.maturesAt <= at);
        require(run.isIn(RunState.InCharge, at) == isInCharge, "in charge");
        require(run.isIn(RunState.Resisting, at) == isRecent, "resisting");
        bool hadMatured = run.maturesAt <= at && run.maturesAt < earlier;
        require(run.isIn(RunState.Standing, at) == (isRecent && hadMatured), "standing");
        require(!isEnded || !isLive, "ended is not live");
    }

    function testFuzz_distrustVoidsWhatBeganSinceAndIgnoresRevocationsSince(
        Draw calldata draw
    ) external pure {
        (Run memory run, ) = _run(draw);
        uint256 since = _NOW + uint256(draw.since) * 1 days;
        uint256 distrustedAt = since + uint256(draw.distrustedAt) * 1 days;
        Run memory left = abi.decode(abi.encode(run), (Run));
        left.applyDistrust(since, distrustedAt);
        if (run.startedAt >= since) {
            require(left.startedAt == 0 && left.end() == 0, "void");
            return;
        }
        require(left.startedAt == run.startedAt && left.maturesAt == run.maturesAt, "its dates stay");
        bool isIgnored = run.endedAt >= since && !run.isEndFinal;
        require(left.endedAt == (isIgnored ? 0 : run.endedAt), "revocations since");
        uint256 latest = distrustedAt + 30 days;
        bool isCut = run.lengthenedAt >= since && run.expiresAt > latest;
        require(left.expiresAt == (isCut ? latest : run.expiresAt), "lengthened since");
    }

    function testFuzz_trustedRunsStay(Draw calldata draw) external pure {
        (Run memory run, ) = _run(draw);
        Run memory left = abi.decode(abi.encode(run), (Run));
        left.applyDistrust(RunLib.NEVER, 0);
        require(_isSame(left, run), "unchanged");
    }

    function _run(Draw calldata draw) private pure returns (Run memory run, uint256 at) {
        run.startedAt = uint32(_NOW + uint256(draw.startedAt) * 1 days);
        run.maturesAt = run.startedAt + uint32(draw.wait % 15) * 1 days;
        run.expiresAt = run.maturesAt + 1 + uint32(draw.life) * 1 days;
        run.lengthenedAt = run.startedAt + uint32(draw.lengthenedAt) * 1 days;
        run.statedAt = run.startedAt;
        run.isSigned = draw.isSigned;
        if (draw.isEnded) run.endedAt = run.startedAt + uint32(draw.endedAt) * 1 days;
        run.isEndFinal = draw.isEnded && draw.isEndFinal;
        at = run.startedAt + uint256(draw.at) * 1 days + (draw.at % 2);
        // The contract never queries a time before a recorded end.
        if (run.endedAt != 0 && at < run.endedAt) at = run.endedAt;
    }

    function _isSame(Run memory a, Run memory b) private pure returns (bool) {
        return keccak256(abi.encode(a)) == keccak256(abi.encode(b));
    }
}
