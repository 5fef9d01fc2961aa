// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Refusals} from "./Refusals.sol";
import {ICheatcodes, VM} from "./Vm.sol";

/// @dev Calls a contract and its plain twin with the same call data. Requires that both return the same data and emit
/// the same events, or that the contract reverts with one of the errors that the twin lists, including its arguments. A
/// panic or an empty revert therefore always fails the test.
abstract contract SideBySide {
    error AnswersDiffer(bytes data, bytes answer, bytes expected);
    error EventsDiffer(bytes data, ICheatcodes.Log[] events, ICheatcodes.Log[] expected);

    /// @return ok True if the call succeeded.
    /// @return answer Data that the call returned, or the error that it reverted with.
    function _both(
        address caller,
        address subject,
        address twin,
        bytes memory data
    ) internal returns (bool ok, bytes memory answer) {
        VM.recordLogs();
        VM.prank(caller);
        (ok, answer) = subject.call(data);
        ICheatcodes.Log[] memory events = VM.getRecordedLogs();
        VM.prank(caller);
        (bool isExpected, bytes memory expected) = twin.call(data);
        ICheatcodes.Log[] memory expectedEvents = VM.getRecordedLogs();

        bool isSame = ok == isExpected && (ok ? _isSame(answer, expected) : _isNamed(answer, expected));
        if (!isSame) revert AnswersDiffer(data, answer, expected);
        if (ok && !_isSame(_digest(events), _digest(expectedEvents))) {
            revert EventsDiffer(data, events, expectedEvents);
        }
    }

    function _digest(ICheatcodes.Log[] memory events) private pure returns (bytes memory digest) {
        for (uint256 i = 0; i < events.length; ++i) {
            digest = abi.encode(digest, events[i].topics, events[i].data);
        }
    }

    /// @dev Returns true if the twin lists the error. The twin lists every reason to revert; the contract reports only
    /// one.
    function _isNamed(bytes memory reason, bytes memory expected) private pure returns (bool) {
        if (bytes4(expected) != Refusals.Refused.selector) return _isSame(reason, expected);
        bytes memory list = new bytes(expected.length - 4);
        for (uint256 i = 0; i < list.length; ++i) list[i] = expected[i + 4];
        bytes[] memory reasons = abi.decode(list, (bytes[]));
        for (uint256 i = 0; i < reasons.length; ++i) {
            if (_isSame(reason, reasons[i])) return true;
        }
        return false;
    }

    function _isSame(bytes memory a, bytes memory b) private pure returns (bool) {
        return keccak256(a) == keccak256(b);
    }
}
