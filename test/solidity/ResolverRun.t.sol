// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Run} from "../../contracts/libraries/Run.sol";

/// @dev Reads a stored run.
contract ResolverRunTest {
    Run private _stored;

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
        require(keccak256(abi.encode(_stored)) == keccak256(abi.encode(run)), "round trip");
    }
}
