// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DrivenAccount} from "./DrivenAccount.sol";

/// @title Driver of accounts through a history of calls
/// @notice Performs many calls in one transaction, each from a chosen account, and many reads at once.
contract HistoryDriver {
    /// @notice One call. Account 0 is the driver itself, which owns the resolver.
    struct Call {
        uint256 account;
        address target;
        bytes data;
    }

    /// @notice One read.
    struct Question {
        address target;
        bytes data;
    }

    /// @notice The calls were made. `errors` has the first four bytes of each call's revert data, or zero if it
    /// succeeded.
    event Performed(bytes4[] errors);

    /// @notice Accounts in the order of their numbers, which begin at 1.
    DrivenAccount[] public accounts;

    constructor(uint256 count) {
        for (uint256 i = 0; i < count; ++i) accounts.push(new DrivenAccount());
    }

    /// @notice Performs all calls, and continues after a call that reverts.
    function perform(Call[] calldata calls) external {
        bytes4[] memory errors = new bytes4[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            Call calldata c = calls[i];
            bool success;
            bytes memory result;
            // solhint-disable-next-line avoid-low-level-calls
            if (c.account == 0) (success, result) = c.target.call(c.data);
            else (success, result) = accounts[c.account - 1].perform(c.target, c.data);
            if (!success) errors[i] = result.length < 4 ? bytes4(0xffffffff) : bytes4(result);
        }
        emit Performed(errors);
    }

    /// @notice Returns the concatenated results of the reads, in order.
    function ask(Question[] calldata questions) external view returns (bytes memory answers) {
        for (uint256 i = 0; i < questions.length; ++i) {
            (, bytes memory answer) = questions[i].target.staticcall(questions[i].data);
            answers = bytes.concat(answers, answer);
        }
    }
}
