// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev Makes a test contract its own handler, so that the runner calls some of its functions at random.
abstract contract Targets {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function _targetContracts() internal view returns (address[] memory contracts) {
        contracts = new address[](1);
        contracts[0] = address(this);
    }

    function _targetSelectors(
        bytes4[] memory selectors
    ) internal view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(this), selectors);
    }
}
